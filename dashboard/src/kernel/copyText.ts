/**
 * Puts a text on the clipboard. False where the browser does not allow it. On plain http by address there is no clipboard
 * API, but the older way by a selection still works there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const { activeElement } = document;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'visually-hidden';
  // A selection is copied as it is laid out: without this, code would lose its indentation.
  field.style.whiteSpace = 'pre';
  // Inside a dialog, which takes the focus back from everything else.
  (activeElement?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  }
}
