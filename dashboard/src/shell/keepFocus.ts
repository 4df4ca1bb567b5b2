import { controlsIn } from '../ui/firstField.ts';

/** Longer than a dialog, a menu or a navigation needs to put the focus where it belongs. */
const SETTLE_MS = 120;

/** What has the focus, and around what it stood, from the inside out. */
interface Focused {
  element: HTMLElement;
  around: Element[];
  path: string;
}

/** Where something stood that is gone. */
interface Place {
  gone: Element;
  before: Node | null;
  after: Node | null;
}

let focused: Focused | null = null;
let place: Place | null = null;
let isTouched = false;

/**
 * When the control with the focus disappears, a browser goes on at the start of the page, where no shortcut of a form works. The
 * focus goes to a neighbour instead; a button that was off while its request was under way gets it back. Called once.
 */
export function keepFocus(): void {
  addEventListener('focusin', noteFocus);
  addEventListener('focusout', (event) => {
    // A click beside everything, or a control that is about to be gone or off: known a moment later.
    if (event.relatedTarget === null) settleSoon();
  });
  addEventListener('pointerdown', ({ pointerType }) => {
    isTouched = pointerType === 'touch';
  });
  addEventListener('keydown', () => {
    isTouched = false;
  });
  const options = { childList: true, subtree: true, attributeFilter: ['disabled'] };
  new MutationObserver(noteChanges).observe(document.body, options);
}

function noteFocus({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || target === document.body) return;
  const around: Element[] = [];
  for (let parent = target.parentElement; parent; parent = parent.parentElement) around.push(parent);
  focused = { element: target, around, path: location.pathname };
  place = null;
}

function noteChanges(records: MutationRecord[]): void {
  if (!focused || document.activeElement !== document.body) return;
  const { element } = focused;
  if (element.isConnected) {
    if (!element.matches(':disabled') && records.some(({ target }) => target === element)) focusOn(element);
    return;
  }
  for (const { removedNodes, previousSibling, nextSibling } of place ? [] : records) {
    const gone = [...removedNodes].find((node) => node.contains(element));
    if (gone instanceof Element) place = { gone, before: previousSibling, after: nextSibling };
  }
  settleSoon();
}

let timer: ReturnType<typeof setTimeout> | undefined;

function settleSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(settle, SETTLE_MS);
}

function settle(): void {
  if (!focused || document.activeElement !== document.body) return;
  const { element, around } = focused;
  // It is off for a moment.
  if (isShown(element) && element.matches(':disabled')) return;
  const next = isGone(focused) ? neighbourOf(around) : null;
  forget();
  // A field would open the keyboard of a phone.
  if (next && !(isTouched && next.matches('input, textarea'))) focusOn(next);
}

/** Whether nobody else sees to the focus. */
function isGone({ element, around, path }: Focused): boolean {
  // Somebody has clicked beside it.
  if (isShown(element)) return false;
  // Another page puts the focus on its own field or heading.
  if (path !== location.pathname) return false;
  // Rows that are scrolled out of a long list come back.
  return !around.some((one) => one.hasAttribute('aria-rowcount'));
}

function isShown(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility();
}

function neighbourOf(around: readonly Element[]): HTMLElement | null {
  const left = around.find((one) => one.isConnected);
  const home = left?.closest('[role="dialog"], #content') ?? document.getElementById('content');
  return (home && left && neighbourIn(home, around)) ?? home?.querySelector<HTMLElement>('h1') ?? null;
}

function forget(): void {
  focused = null;
  place = null;
}

function focusOn(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}

/** The same control of the next row alike, else the nearest one before, else the nearest after, within what stood closest around. */
function neighbourIn(home: Element, around: readonly Element[]): HTMLElement | null {
  const twin = twinOf();
  if (twin) return twin;
  for (const part of around.filter((one) => one.isConnected && home.contains(one))) {
    const controls = controlsIn(part);
    const before = controls.filter((control) => isBefore(control, part)).at(-1);
    const found = before ?? controls.find((control) => !isBefore(control, part));
    if (found) return found;
  }
  return null;
}

function twinOf(): HTMLElement | null {
  if (!place || !focused) return null;
  const { gone, before, after } = place;
  const index = everyControl(gone).indexOf(focused.element);
  const alike = [after, before].find(
    (other): other is Element =>
      other instanceof Element &&
      other.isConnected &&
      other.tagName === gone.tagName &&
      other.className === gone.className &&
      other.className !== '',
  );
  const controls = alike ? everyControl(alike) : [];
  return controls[index] ?? controls.at(-1) ?? null;
}

/** Also of what is gone, of which nobody can say any more whether it is visible. */
function everyControl(part: Element): HTMLElement[] {
  const all = [...part.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
  return part instanceof HTMLElement && part.matches('a[href], button, input') ? [part] : all;
}

/** Whether a control stands before the place of what is gone; without a known place everything in `part` counts as before. */
function isBefore(control: HTMLElement, part: Element): boolean {
  // It is there, and only hidden.
  if (focused?.element.isConnected)
    return (focused.element.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  if (place?.after?.isConnected && part.contains(place.after))
    return (place.after.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  if (place?.before?.isConnected && part.contains(place.before))
    return (
      place.before === control ||
      place.before.contains(control) ||
      (place.before.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    );
  return true;
}
