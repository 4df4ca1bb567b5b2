import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { config } from '../../src/kernel/config.ts';
import { escapeHtml, Html, html } from '../../src/kernel/html.ts';
import { once } from '../../src/kernel/memoize.ts';
import { baseHost, linkOrigin } from '../../src/kernel/origins.ts';
import { PRODUCT_FOLDER } from '../../src/kernel/version.ts';

/** Where the build puts colours, in the folder of the product; see scripts/print/colours.ts. */
const FILE = 'dist/reference/colours.json';

/** What stands for what differs between installations and days: addresses, hosts, and times of examples. */
const STAND_INS = { url: 'https://svc.example.com', host: 'svc.example.com', day: '2026-01-01' };
const ANY_STAND_IN = /(?:https:\/\/)?(?<![\w.-])svc\.example\.com|\b2026-01-01(?=T)/g;

/** The same of this installation. */
function differing(): RegExp {
  const origins = [config.baseUrl, linkOrigin(config.linkDomain)];
  // DNS records name hosts without their port.
  const names = [baseHost(), config.linkDomain].flatMap((host) => [host, host.replace(/:\d+$/, '')]);
  const hosts = names.map((host) => String.raw`(?<![\w.-])${escaped(host)}(?![\w-]|[.:]\w)`);
  return new RegExp(
    [...origins.map((origin) => escaped(origin)), ...hosts, String.raw`\b\d{4}-\d\d-\d\d(?=T)`].join('|'),
    'g',
  );
}

/** Safe in a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Code as it is coloured at build, and what stood in the place of the stand-ins. */
function neutral(code: string): { neutral: string; originals: string[] } {
  const originals: string[] = [];
  const text = code.replaceAll(differing(), (original) => {
    originals.push(original);
    if (original.includes('://')) return STAND_INS.url;
    return /^\d{4}-/.test(original) ? STAND_INS.day : STAND_INS.host;
  });
  return { neutral: text, originals };
}

/**
 * A block of code that can be scrolled by keyboard. Its colours are made at build, because the grammars of shiki take
 * seconds to load; code that the build did not see, as when sources run without one, has none.
 */
export function codeHtml(language: string, code: string, label = 'Code'): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${coloured(language, code.trimEnd())}</code></pre>`;
}

function coloured(language: string, code: string): Html {
  const { neutral: text, originals } = neutral(code);
  for (const blocks of collectors) blocks.push({ language, code: text });
  const known = colours()[colourKey(language, text)];
  const places = known?.match(ANY_STAND_IN)?.length ?? 0;
  if (known === undefined || places !== originals.length) return new Html(escapeHtml(code));
  const left = originals.values();
  return new Html(known.replaceAll(ANY_STAND_IN, () => escapeHtml(left.next().value ?? '')));
}

/** The name of coloured code in the file. */
export function colourKey(language: string, code: string): string {
  return createHash('sha256').update(`${language}\n${code}`).digest('base64url').slice(0, 16);
}

export interface CodeBlock {
  language: string;
  code: string;
}

const collectors = new Set<CodeBlock[]>();

/**
 * Every block of code that is shown while this renders, without address and day.
 * @public The build of the colours calls it.
 */
export function collectCode(render: () => unknown): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  collectors.add(blocks);
  try {
    render();
    return blocks;
  } finally {
    collectors.delete(blocks);
  }
}

const colours = once((): Record<string, string> => {
  const place = path.join(PRODUCT_FOLDER ?? '.', FILE);
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
});
