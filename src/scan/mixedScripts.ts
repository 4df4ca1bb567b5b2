import type { Target } from './target.ts';

/** Scripts that a label may be written in: those of UAX #31's tables of recommended and limited use. */
const SCRIPTS = `Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Nko Ethiopic Devanagari Bengali Gurmukhi
  Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Hangul Han Hiragana
  Katakana Bopomofo Cherokee Canadian_Aboriginal Tifinagh Yi Javanese Balinese Sundanese Ol_Chiki Vai Lisu Adlam`;

/** What UTS #39 ("highly restrictive") lets stand together in one label. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const ALLOWED = [...SCRIPTS.split(/\s+/).map((script) => [script]), ...TOGETHER].map(writtenIn);

/** Labels that mix scripts show one letter and mean another. Needs no list of letters, so it finds what no list has. */
export function mixedScriptsProblem({ host, shownHost }: Pick<Target, 'host' | 'shownHost'>): string | null {
  if (host === shownHost && !host.includes('xn--')) return null;
  const labels = shownHost.split('.');
  if (shownHost === '' || labels.some((label) => label.startsWith('xn--'))) {
    return `${host} is no valid internationalised host name.`;
  }
  const mixed = labels.find((label) => !ALLOWED.some((pattern) => pattern.test(label)));
  return mixed === undefined ? null : `"${mixed}" in ${host} mixes letters of several scripts.`;
}

/** Digits, hyphens and accents belong to every script. */
function writtenIn(scripts: string[]): RegExp {
  const letters = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${letters.join('')}]*$`, 'u');
}
