/** Whether letters that are pressed now go into this element. A checkbox takes none. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|reset|image|file)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** What an event is about, also inside a custom element. */
export function targetOf(event: Event): EventTarget | null {
  return event.composedPath()[0] ?? event.target;
}
