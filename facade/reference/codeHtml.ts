import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { config } from '../../src/kernel/config.ts';
import { escapeHtml, Html, html } from '../../src/kernel/html.ts';

/** Where the build puts colours, from this file and from its compiled version; see scripts/printColours.mjs. */
const FILES = ['../../dist/reference/colours.json', '../../reference/colours.json'].map((file) =>
  path.resolve(import.meta.dirname, file),
);

/** What differs between installations and days: the address, and times of examples. */
const STAND_IN = 'https://svc.example.com';
const STAND_IN_DAY = '2026-01-01';
const DAY = /\b\d{4}-\d\d-\d\d(?=T)/g;

/** Code as it is coloured at build, where neither address nor day are known. */
function neutral(code: string): string {
  return code.replaceAll(config.baseUrl, STAND_IN).replaceAll(DAY, STAND_IN_DAY);
}

/**
 * A block of code that can be scrolled by keyboard. Its colours are made at build, because the grammars of shiki take
 * seconds to load; code that the build did not see, as when sources run without one, has none.
 */
export function codeHtml(language: string, code: string, label = 'Code'): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${coloured(language, code.trimEnd())}</code></pre>`;
}

function coloured(language: string, code: string): Html {
  collected?.push({ language, code: neutral(code) });
  const known = colours()[colourKey(language, neutral(code))];
  if (known === undefined) return new Html(escapeHtml(code));
  const days = code.match(DAY) ?? [];
  return new Html(
    known.replaceAll(STAND_IN, escapeHtml(config.baseUrl)).replaceAll(STAND_IN_DAY, () => days.shift() ?? STAND_IN_DAY),
  );
}

/** The name of coloured code in the file. */
export function colourKey(language: string, code: string): string {
  return createHash('sha256').update(`${language}\n${code}`).digest('base64url').slice(0, 16);
}

export interface CodeBlock {
  language: string;
  code: string;
}

let collected: CodeBlock[] | null = null;

/** Every block of code that is shown while this renders, without address and day. */
export function collectCode(render: () => unknown): CodeBlock[] {
  collected = [];
  try {
    render();
    return collected;
  } finally {
    collected = null;
  }
}

let known: Record<string, string> | undefined;

function colours(): Record<string, string> {
  known ??= readColours();
  return known;
}

function readColours(): Record<string, string> {
  for (const file of FILES) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {}
  }
  return {};
}
