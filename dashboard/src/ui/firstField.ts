/** For the field with which the work on a page or in a dialog begins: it has the focus from the start. */
export const FIRST_FIELD = { autoFocus: true, 'data-autofocus': true };

const MARKED = '[data-autofocus]';
const FIELDS = 'input, select, textarea, [contenteditable="true"]';
const CONTROLS = 'a[href], button, input, select, textarea, summary, [contenteditable="true"], [tabindex]';

/** What the tabulator reaches in this part of the page, in its order. */
export function controlsIn(part: Element): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter(isReachable);
}

/** The field that is marked as the first one; null: there is none. */
export function markedField(part: Element): HTMLElement | null {
  return part.querySelector<HTMLElement>(MARKED);
}

/** Where the work in a dialog begins: its marked field, else the first of its form, else its first button. */
export function firstControl(part: Element): HTMLElement | null {
  const fields = [...part.querySelectorAll<HTMLElement>(`form :is(${FIELDS})`)].filter(isReachable);
  return markedField(part) ?? fields[0] ?? controlsIn(part)[0] ?? null;
}

function isReachable(element: HTMLElement): boolean {
  const isOff = element.matches(':disabled, [type="hidden"], [type="radio"]:not(:checked)') || element.tabIndex < 0;
  return !isOff && element.checkVisibility({ visibilityProperty: true });
}
