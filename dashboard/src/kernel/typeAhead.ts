import { isWriting, targetOf } from './writing.ts';

/** What was typed for a field that is still on its way; null: none is. */
let typed: string | null = null;
let isArriving = false;

/**
 * A page or dialog with a field for what is typed next is on its way: from now on nothing that is typed or pasted is lost or taken
 * for a shortcut, and the field gets it as soon as it has the focus.
 */
export function awaitField(): void {
  typed ??= '';
}

/** No field comes any more, or the person has gone on by themselves. */
export function giveUpField(): void {
  if (!isArriving) typed = null;
}

export function isFieldAwaited(): boolean {
  return typed !== null;
}

/** Listens before everything else that hears keys. Called once. */
export function catchTyping(): void {
  addEventListener('keydown', collectKey, { capture: true });
  addEventListener('paste', collectPaste, { capture: true });
  addEventListener('focusin', arrive, { capture: true });
  addEventListener('pointerdown', giveUpField, { capture: true });
}

function collectKey(event: KeyboardEvent): void {
  if (typed === null || event.isComposing || isInField(event)) return;
  if (event.key === 'Escape' || event.key === 'Tab') giveUpField();
  if (typed === null || event.metaKey || (!event.getModifierState('AltGraph') && (event.ctrlKey || event.altKey)))
    return;
  if (event.key.length === 1 && (event.key !== ' ' || typed !== '')) typed += event.key;
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  // Would follow once more the link that led here.
  else if (event.key !== 'Enter' || typed === '') return;
  swallow(event);
}

function collectPaste(event: ClipboardEvent): void {
  if (typed === null || isInField(event)) return;
  typed += (event.clipboardData?.getData('text/plain') ?? '').trim();
  swallow(event);
}

/** Between its focus and the next turn the field would get letters before those that were typed first. */
function isInField(event: Event): boolean {
  return !isArriving && isWriting(targetOf(event));
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function arrive(event: FocusEvent): void {
  const field = targetOf(event);
  if (typed === null || isArriving) return;
  if (!isWriting(field)) {
    // A dialog has come whose first control takes no text.
    if (field instanceof Element && field.closest('[role="dialog"]')) giveUpField();
    return;
  }
  isArriving = true;
  // React hears no events while it puts a field into the page and focuses it.
  setTimeout(() => {
    isArriving = false;
    // The focus was only passing: what was typed is for the field where it stays.
    if (document.activeElement !== field) return;
    const text = typed;
    typed = null;
    // The one way by which the field is asked as if somebody had typed, so that undo and its own handlers know it too.
    if (text) document.execCommand('insertText', false, text);
  });
}
