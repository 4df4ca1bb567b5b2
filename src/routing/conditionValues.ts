import { domainToASCII } from 'node:url';
import { memoize } from '../kernel/cache.ts';
import { countryOf } from './countries.ts';

/**
 * A language tag in its canonical form, lower-cased, as conditions compare it: `pt_BR` is `pt-br`, `iw` is `he`. Null for
 * what no tag of a language is (BCP 47).
 */
export function languageOf(text: string): string | null {
  const tag = canonicalTag(text.trim().replaceAll('_', '-'));
  return tag !== null && isOfLanguage(tag) ? tag.toLowerCase() : null;
}

/** The tag of a visitor in the same form. Visitors send tags of no language too: those stay as they are. */
export const visitorLanguage = memoize((tag: string) => canonicalTag(tag)?.toLowerCase() ?? tag, 5_000);

/** What is wrong with a language of a condition, and what to write; null if nothing. */
export function languageProblem(text: string): string | null {
  if (languageOf(text) !== null) return null;
  const code = codeOfLanguage(text.trim());
  return `Must be a language tag such as de or de-AT${code === null ? '' : `: write ${code}`}.`;
}

function canonicalTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** Whether the language and region of a well-formed tag exist. Of three-letter codes there are too many to know. */
function isOfLanguage(tag: string): boolean {
  const { language = 'und', region } = new Intl.Locale(tag);
  if (language.length > 3 || language === 'und') return false;
  if (language.length === 2 && LANGUAGES.of(language) === undefined) return false;
  // The name of a country in the place of its code looks like a variant, such as `valencia` is one.
  const [variant] = /(?<=-)[a-z]{5,8}(?=-|$)/.exec(tag) ?? [];
  if (variant !== undefined && (LANGUAGES.of(tag)?.includes(variant.toUpperCase()) ?? true)) return false;
  return region === undefined || /^\d{3}$/.test(region) || countryOf(region) !== null;
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** The two letters of a language by its English name or its own, or the start of a tag that is wrong further on. */
function codeOfLanguage(name: string): string | null {
  const wanted = name.toLowerCase();
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    if (LANGUAGES.of(code) === undefined) continue;
    const own = new Intl.DisplayNames(code, { type: 'language' }).of(code);
    if ([LANGUAGES.of(code), own].some((known) => known?.toLowerCase() === wanted)) return code;
  }
  const [start = ''] = wanted.split(/[^a-z]/);
  return start !== wanted && languageOf(start) !== null ? start : null;
}

/** What a browser can send as the host of a Referer, in the form of `visitor.ts`. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/;

const SCHEME = /^(?:https?:\/*|(?:[a-z][a-z0-9+.-]*:)?\/\/)/i;

/**
 * The host of a condition as visitors bring it: lower-cased, in Punycode, without port and trailing dot. Takes a URL for its
 * host, also `android-app://com.example`. Null for what is not a host.
 */
export function referrerHostOf(text: string): string | null {
  const given = text.trim();
  const rest = given.replace(SCHEME, '');
  const [authority = ''] = rest.split(/[/?#\\]/, 1);
  const address = rest === given ? authority : authority.replace(/^.*@/, '');
  const host = address.replace(/:\d*$/, '').replace(/\.$/, '');
  const ascii = host.startsWith('[') ? host.toLowerCase() : domainToASCII(host);
  return ascii.length <= 253 && HOST.test(ascii) ? ascii : null;
}

/** What is wrong with a host of a condition, and what to write; null if nothing. */
export function referrerHostProblem(text: string): string | null {
  if (referrerHostOf(text) !== null) return null;
  const near = referrerHostOf(text.trim().replace(/^(?:\*?\.)+/, ''));
  if (near === null) return 'Must be a host such as t.co, without scheme and path.';
  return `Must be a host, which stands for itself without its subdomains: write ${near}.`;
}
