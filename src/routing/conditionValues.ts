import { domainToASCII } from 'node:url';
import { memoize } from '../kernel/cache.ts';
import { once } from '../kernel/memoize.ts';
import { countryOf } from './countries.ts';

/** Characters of the longest tag; a condition that names a longer one is refused. */
const MAX_TAG_LENGTH = 100;
/** A link names 10,000 languages at most: fifty rules with a hundred, and as many that are excluded. */
const MAX_KNOWN = 10_000;

/**
 * A language tag in its canonical form, lower-cased, as conditions compare it: `pt_BR` is `pt-br`, `iw` is `he`. Null for
 * a text that is not the tag of a language (BCP 47).
 */
export function languageOf(text: string): string | null {
  return text.length > MAX_TAG_LENGTH ? null : knownLanguage(text) || null;
}

/** The same, read once for each text because that takes long; empty instead of null. */
const knownLanguage = memoize((text: string) => {
  const tag = canonicalTag(text.trim().replaceAll('_', '-'));
  return tag !== null && isOfLanguage(tag) ? tag.toLowerCase() : '';
}, MAX_KNOWN);

/** The tag of a visitor in the same form. Visitors also send tags that name no language: those stay as they are. */
export const visitorLanguage = memoize((tag: string) => canonicalTag(tag)?.toLowerCase() ?? tag, 5_000);

/** What is wrong with a language of a condition, and what to write; null if nothing. */
export function languageProblem(text: string): string | null {
  if (languageOf(text) !== null) return null;
  const code = text.length > MAX_TAG_LENGTH ? null : codeOfLanguage(text.trim());
  return `Must be a language tag such as de or de-AT${code === null ? '' : `: write ${code}`}.`;
}

/** Two or three letters, or `i` of old tags, and further parts: ICU throws for everything else, which takes long. */
const TAG_FORM = /^(?:[a-z]{2,3}|i)(?:-[a-z\d]{1,8})*$/i;

function canonicalTag(text: string): string | null {
  if (!TAG_FORM.test(text)) return null;
  // Nobody reads where a text was refused, and writing that down takes longer than reading the text.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The language, region and variants of a canonical tag, up to an extension. */
const PARTS = /^([a-z]+)(?:-[A-Z][a-z]{3})?(?:-([A-Z]{2}|\d{3}))?((?:-[a-z\d]{4,8})*)/;

/** Whether the language and region of a well-formed tag exist. There are too many three-letter codes to know them. */
function isOfLanguage(tag: string): boolean {
  const [, language = 'und', region, variants = ''] = PARTS.exec(tag) ?? [];
  if (language.length > 3 || language === 'und') return false;
  if (language.length === 2 && !names().codes.has(language)) return false;
  // The name of a country in the place of its code has the form of a variant.
  if (variants.split('-').some((variant) => /^[a-z]{5,8}$/.test(variant) && !VARIANTS.has(variant))) return false;
  return region === undefined || /^\d{3}$/.test(region) || countryOf(region) !== null;
}

/** Variants without a digit, as the registry of BCP 47 lists them. */
const VARIANTS: ReadonlySet<string> = new Set(
  [
    'akhmimic akuapem aluku anpezo arevela arevmda asante auvern balanka barla basiceng bauddha bciav bcizbl biscayan',
    'biske blasl bohairic bohoric boont bornholm cisaup cornu creiss dajnko ekavsk emodeng fascia fayyumic fodom fonipa',
    'fonkirsh fonnapa fonupa fonxsamp gallo gascon gherd grclass grital grmistr hepburn heploc hognorsk hsistemo',
    'ijekavsk itihasa ivanchov jauer jyutping kkcor kleinsch kociewie kscor laukika leidentr lemosin lengadoc lipaw',
    'lycopol mdcegyp mdctrans mesokem metelko monoton ndyuka nedis newfound nicard njiva nulik osojs oxendict pamaka',
    'peano pehoeji pinyin polyton posix provenc puter revised rigik rozaj rumgr saaho sahidic saigon scotland scouse',
    'simple solba sotav spanglis surmiran sursilv sutsilv synnejyl tailo tarask tongyong tunumiis uccor ucrcor ulster',
    'unifon vaidika valbadia valencia vallader vecdruka vivaraup wadegile xsistemo',
  ].flatMap((line) => line.split(' ')),
);

/** The two-letter codes of languages, and these codes by names in lower case. */
interface LanguageNames {
  codes: ReadonlySet<string>;
  codeOfName: ReadonlyMap<string, string>;
}

/** Made when it is first needed, because that takes some 20 ms. */
const names = once(readNames);

/** Languages by their English name, and by what they call themselves. */
function readNames(): LanguageNames {
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => english.of(code) !== undefined);
  const codeOfName = new Map<string, string>();
  for (const code of codes) {
    const own = new Intl.DisplayNames(code, { type: 'language' }).of(code);
    for (const name of [english.of(code), own].map((known) => known?.toLowerCase()))
      if (name !== undefined && !codeOfName.has(name)) codeOfName.set(name, code);
  }
  return { codes: new Set(codes), codeOfName };
}

/** The two letters of a language by its name, or the start of a tag that is wrong further on. */
function codeOfLanguage(name: string): string | null {
  const wanted = name.toLowerCase();
  const code = names().codeOfName.get(wanted);
  if (code !== undefined) return code;
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
