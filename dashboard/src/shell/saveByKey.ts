import { isDialogOpen } from '../kernel/shortcuts.ts';

const SUBMIT = ':is(button, input)[type="submit"]';
const OFF = ':disabled, [data-disabled], [aria-disabled="true"]';

/**
 * `Ctrl Enter` or `⌘ Enter` sends the form in which somebody is, or the only form of the page if the focus is elsewhere: on a
 * heading, or nowhere since a control is gone. Dialogs are left to `Enter`: one too many must not confirm. Called once.
 */
export function saveByKey(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isDialogOpen()) return;
    const button = submitButton(event.target instanceof Element ? event.target : document.body);
    if (!button || button.matches(OFF)) return;
    // Otherwise a button with the focus would be pressed too.
    event.preventDefault();
    button.form?.requestSubmit(button);
  });
}

function submitButton(target: Element): HTMLButtonElement | null {
  const form = target.closest('form');
  if (form) return form.querySelector<HTMLButtonElement>(SUBMIT);
  const found = document.querySelectorAll<HTMLButtonElement>(`#content form ${SUBMIT}`);
  return found.length === 1 ? (found[0] ?? null) : null;
}
