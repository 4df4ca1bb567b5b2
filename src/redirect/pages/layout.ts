import { type Html, html } from './html.ts';
import type { Language } from './language.ts';
import { STYLE, STYLE_SOURCE } from './style.ts';

export interface Layout {
  /** Null: of texts whose language is not known. */
  language: Language | null;
  /** Plain text: the title of the window, and the heading. */
  title: string;
  /** What stands under the heading. */
  main: Html;
  /** Decoration above the heading. */
  icon?: Html;
  /** Further elements of the head. */
  head?: Html;
  /** Directives that open the policy, as `script-src 'self'`. Everything not named is refused. */
  policy?: readonly string[];
  /** There is a form, whose answer may lead to any other site or app. */
  hasForm?: boolean;
  /** Search engines are asked to leave the page out, unless this is true. */
  isIndexed?: boolean;
}

export interface LaidOut {
  /** Names and values in turn, without Content-Length. */
  headers: readonly string[];
  html: Buffer;
}

/** A whole page. It loads nothing, runs nothing and is not framed, but for what `policy` opens. */
export function layOut(layout: Layout): LaidOut {
  return { headers: headersOf(layout), html: Buffer.from(markupOf(layout).markup) };
}

function headersOf({ language, policy = [], hasForm = false, isIndexed = false }: Layout): string[] {
  // Not 'self' where there is a form: Chromium then refuses the redirect that answers it. See docs/decisions/0015.
  const directives = [...BASE_POLICY, ...(hasForm ? [] : ["form-action 'none'"]), ...policy];
  return [
    'Content-Type',
    'text/html; charset=utf-8',
    ...(language ? ['Content-Language', language] : []),
    'Content-Security-Policy',
    directives.join('; '),
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    ...(isIndexed ? [] : ['X-Robots-Tag', 'noindex']),
  ];
}

const BASE_POLICY = ["default-src 'none'", `style-src ${STYLE_SOURCE}`, "base-uri 'none'", "frame-ancestors 'none'"];

function markupOf({ language, title, main, icon, head }: Layout): Html {
  return html`<!doctype html>
<html${language ? html` lang="${language}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
<style>${STYLE}</style>
</head>
<body>
<main>
${icon}
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}
