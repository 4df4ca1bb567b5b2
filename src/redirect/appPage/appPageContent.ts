import { type Html, html } from '../../kernel/html.ts';
import { ICONS } from '../pages/icons.ts';
import type { Content } from '../pages/pages.ts';
import type { PageTexts } from '../pages/texts/PageTexts.ts';
import type { AppChoices } from './appChoices.ts';
import { SCRIPT_ADDRESS } from './pageScript.ts';

interface Choice {
  href: string | null;
  label: string;
  /** Whether it may lead to a store: the page then reports its device to the server. */
  isStore?: boolean;
  /** Copied to the clipboard on a tap. */
  copied?: string;
}

/** The choices, the most likely first. Without scripts, each is a plain link. */
export function appPageContent({ openApp }: PageTexts, choices: AppChoices, isInApp: boolean): Content {
  const { appStore, googlePlay, open, isStoreBehindOpen, web, copied } = choices;
  const opening = { href: open, label: openApp.open, isStore: isStoreBehindOpen };
  const buttons: Choice[] = [
    // An intent falls back to Google Play by itself; iOS has no such fallback, so its store comes first.
    ...(appStore === null ? [opening] : []),
    { href: appStore, label: openApp.getFromAppStore, isStore: true, copied },
    ...(appStore === null ? [] : [opening]),
    { href: googlePlay, label: openApp.getFromGooglePlay, isStore: true },
    { href: web, label: openApp.continueInBrowser },
  ];
  return {
    title: openApp.title,
    icon: ICONS.app,
    head: html`<script src="${SCRIPT_ADDRESS}" defer></script>`,
    policy: ["script-src 'self'", "connect-src 'self'"],
    main: html`${isInApp ? html`<p class="soft">${openApp.inAppHint}</p>` : null}
${buttons.filter(({ href }) => href !== null).map(button)}`,
  };
}

function button({ href, label, isStore, copied }: Choice, index: number): Html {
  const copying = copied === undefined ? null : html` data-copy="${copied}"`;
  const reporting = isStore ? html` data-store` : null;
  return html`<a class="${index === 0 ? 'button' : 'button plain'}" href="${href}"${reporting}${copying}>${label}</a>\n`;
}
