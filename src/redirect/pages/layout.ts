import { type Html, html } from '../../kernel/html.ts';
import type { Language } from './language.ts';
import { STYLE, STYLE_SOURCE } from './style.ts';

export interface Layout {
  /** Null if the language of the texts is unknown. */
  language: Language | null;
  /** Plain text, the title of the window and the heading. */
  title: string;
  /** The content below the heading. */
  main: Html;
  /** Decoration above the heading. */
  icon?: Html;
  /** More elements of the head. */
  head?: Html;
  /** Directives that relax the policy, such as `script-src 'self'`. Everything else is forbidden. */
  policy?: readonly string[];
  /** Whether there is a form, whose response may redirect to any site or app. */
  hasForm?: boolean;
  /** Whether search engines may index the page; default false. */
  isIndexed?: boolean;
}

export interface LaidOut {
  /** Alternating names and values, without Content-Length. */
  headers: readonly string[];
  html: Buffer;
}

/** Renders a page. It loads nothing, runs nothing and cannot be framed, except for what `policy` allows. */
export function layOut(layout: Layout): LaidOut {
  return { headers: headersOf(layout), html: Buffer.from(markupOf(layout).markup) };
}

function headersOf({ language, policy = [], hasForm = false, isIndexed = false }: Layout): string[] {
  // With a form, not even 'self': Chromium would block the redirect after it. See docs/decisions/0015.
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
