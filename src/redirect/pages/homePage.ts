import { html } from '../../kernel/html.ts';
import { chooseLanguage, TEXTS } from './language.ts';
import { type LaidOut, layOut } from './layout.ts';

/** Where the links of the home page lead; without an address there is no link. */
export interface HomeLinks {
  signIn: string | null;
  signUp: string | null;
  /** What describes the API. */
  reference: string;
}

/** The first page of the installation, for people who are not signed in, in the best language for an Accept-Language header. */
export function homePage(acceptLanguage: string | undefined, { signIn, signUp, reference }: HomeLinks): LaidOut {
  const language = chooseLanguage(acceptLanguage);
  const { home } = TEXTS[language];
  return layOut({
    language,
    title: home.title,
    main: html`<p>${home.text}</p>
<ul>
${Object.values(home.features).map((feature) => html`<li>${feature}</li>`)}
</ul>
${signIn ? html`<a class="button" href="${signIn}">${home.signIn}</a>` : html`<p class="soft">${home.noDashboard}</p>`}
${signUp ? html`<a class="button plain" href="${signUp}">${home.signUp}</a>` : null}
<p><a href="${reference}">${home.reference}</a></p>`,
  });
}
