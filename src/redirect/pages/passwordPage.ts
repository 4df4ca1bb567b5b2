import { html } from './html.ts';
import { ICONS } from './icons.ts';
import type { Content } from './pages.ts';
import type { PageTexts } from './texts/PageTexts.ts';

/** The form for the password of a link; it posts to the address it stands at, with its query. */
export function passwordPage({ password }: PageTexts, isWrong: boolean): Content {
  const { title, text, label, submit, wrong } = password;
  return {
    title,
    icon: ICONS.lock,
    hasForm: true,
    main: html`<p class="soft" id="hint">${text}</p>
${isWrong ? html`<p class="error" id="wrong" role="alert">${wrong}</p>` : null}
<form method="post">
<label for="password">${label}</label>
<input id="password" name="password" type="password" maxlength="200" required autofocus autocomplete="current-password" autocapitalize="off" spellcheck="false" ${isWrong ? html`aria-invalid="true" aria-describedby="wrong"` : html`aria-describedby="hint"`}>
<button class="button">${submit}</button>
</form>`,
  };
}
