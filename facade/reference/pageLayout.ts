import { createHash } from 'node:crypto';
import { type Html, html } from '../../src/kernel/html.ts';
import { OWN_PATHS } from '../../src/kernel/origins.ts';
import { SCRIPT } from './pageScript.ts';
import { STYLE } from './pageStyle.ts';

/** A page of the reference without what all pages have. */
export interface Page {
  /** On the host of BASE_URL. */
  path: string;
  title: string;
  /** The same in Markdown. */
  markdownPath: string;
  main: Html;
}

/** A place in the navigation. */
export interface Place {
  path: string;
  title: string;
}

/** Places under a heading. */
export interface Group {
  title: string;
  places: Place[];
}

/** Loads nothing but the files of the reference, sends nothing, and cannot be framed. */
export const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const { reference: REFERENCE } = OWN_PATHS;

/** The files that pages load, by path. */
export const FILES = {
  style: { path: `${REFERENCE}/reference.css`, type: 'text/css; charset=utf-8', text: STYLE },
  script: { path: `${REFERENCE}/reference.js`, type: 'text/javascript; charset=utf-8', text: SCRIPT },
} as const;

/** With a part that changes with the content, so that no old style meets a new page. */
function addressOf({ path, text }: { path: string; text: string }): string {
  return `${path}?v=${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
}
const STYLE_ADDRESS = addressOf(FILES.style);
const SCRIPT_ADDRESS = addressOf(FILES.script);

export const INDEX_PATH = `${REFERENCE}/search.json`;

/** Puts a page into the frame of all of them. */
export function layOutPage({ path, title, markdownPath, main }: Page, groups: readonly Group[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'svc API' ? title : `${title} · svc API`}</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${markdownPath}">
<script src="${SCRIPT_ADDRESS}" defer></script>
</head>
<body>
<header>
<a class="skip" href="#main">Skip to the text</a>
<button type="button" popovertarget="pages">Pages</button>
<a class="home" href="${REFERENCE}">svc API</a>
<form class="find" role="search" action="${REFERENCE}" data-index="${INDEX_PATH}" hidden>
<input type="search" name="q" aria-label="Search the reference" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<ul hidden aria-label="Results"></ul>
<span role="status" class="quiet"></span>
</form>
</header>
<nav class="pages" id="pages" popover aria-label="Pages">
${groups.map((group) => groupHtml(group, path))}
</nav>
<main id="main">
${main}
</main>
<footer><a href="${markdownPath}">This page as Markdown</a> · <a href="${OWN_PATHS.llms}">llms.txt</a> · <a href="${OWN_PATHS.api}/openapi.json">openapi.json</a></footer>
</body>
</html>
`.markup;
}

function groupHtml({ title, places }: Group, current: string): Html {
  const items = places.map(
    (place) =>
      html`<li><a href="${place.path}"${place.path === current ? html` aria-current="page"` : null}>${place.title}</a></li>`,
  );
  return html`<h2>${title}</h2><ul>${items}</ul>`;
}
