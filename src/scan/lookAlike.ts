import { CONFUSABLE_SCRIPTS, registrableDomain, skeletonOf, toLatin } from './domainName.ts';
import type { OwnHosts } from './ownHosts.ts';
import type { Target } from './target.ts';

const WHOLE_LABELS = CONFUSABLE_SCRIPTS.map(({ script, usualUnder, letters }) => {
  const any = Object.keys(letters).join('');
  return {
    script,
    usualUnder,
    isTopLevel: new RegExp(`^\\p{Script_Extensions=${script}}+$`, 'u'),
    // At least one letter, each of them a look-alike.
    pattern: new RegExp(`^[0-9-]*[${any}][${any}0-9-]*$`, 'u'),
  };
});

/** Refuses hosts that pass for another: labels of look-alike letters only, or nearly the name of a host of ours. */
export function lookAlikeProblem(target: Target, { own }: { own: OwnHosts }): string | null {
  return wholeScriptProblem(target) ?? ownNameProblem(target, own);
}

/** Many real names consist of such letters only; they are usual under a domain of their script or country. */
function wholeScriptProblem({ host, shownHost }: Target): string | null {
  if (host === shownHost) return null;
  const labels = shownHost.split('.');
  const topLevel = labels.pop() ?? '';
  for (const { script, usualUnder, isTopLevel, pattern } of WHOLE_LABELS) {
    if (usualUnder.includes(topLevel) || isTopLevel.test(topLevel)) continue;
    const label = labels.find((candidate) => pattern.test(candidate));
    if (label) return `"${label}" in ${host} is ${script} and reads like "${toLatin(label)}".`;
  }
  return null;
}

function ownNameProblem({ host }: Target, { domains, skeletons: readings }: OwnHosts): string | null {
  const domain = registrableDomain(host);
  if (!domain || domains.has(domain)) return null;
  const meant = readings.get(skeletonOf(domain));
  return meant ? `${host} looks like ${meant}, a host of this service.` : null;
}

/** Scripts that a label may be written in: those for recommended and limited use in UAX #31. */
const SCRIPTS = `Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Nko Ethiopic Devanagari Bengali Gurmukhi
  Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Hangul Han Hiragana
  Katakana Bopomofo Cherokee Canadian_Aboriginal Tifinagh Yi Javanese Balinese Sundanese Ol_Chiki Vai Lisu Adlam`;

/** Scripts that UTS #39 ("highly restrictive") allows together in one label. */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const ALLOWED = [...SCRIPTS.split(/\s+/).map((script) => [script]), ...COMBINATIONS].map(writtenIn);

/** Refuses labels that mix scripts to imitate letters. Needs no list of letters, so it also finds unlisted ones. */
export function mixedScriptsProblem({ host, shownHost }: Pick<Target, 'host' | 'shownHost'>): string | null {
  if (host === shownHost && !host.includes('xn--')) return null;
  const labels = shownHost.split('.');
  if (shownHost === '' || labels.some((label) => label.startsWith('xn--'))) {
    return `${host} is not a valid internationalised host name.`;
  }
  const mixed = labels.find((label) => !ALLOWED.some((pattern) => pattern.test(label)));
  return mixed === undefined ? null : `"${mixed}" in ${host} mixes several scripts.`;
}

/** Matches labels in these scripts; digits, hyphens and accents belong to every script. */
function writtenIn(scripts: string[]): RegExp {
  const letters = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${letters.join('')}]*$`, 'u');
}
