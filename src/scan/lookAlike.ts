import type { ScanContext } from './checks.ts';
import { CONFUSABLE_SCRIPTS } from './confusableLetters.ts';
import { latinOf, readingOf, registrableDomain } from './domainName.ts';
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

/** A host that is made to be read as another: in look-alike letters throughout, or nearly the name of one of ours. */
export function lookAlikeProblem(target: Target, { own }: Pick<ScanContext, 'own'>): string | null {
  return wholeScriptProblem(target) ?? ownNameProblem(target, own);
}

/** The many real names that happen to have such letters alone are at home under a domain of their script or country. */
function wholeScriptProblem({ host, shownHost }: Target): string | null {
  if (host === shownHost) return null;
  const labels = shownHost.split('.');
  const topLevel = labels.pop() ?? '';
  for (const { script, usualUnder, isTopLevel, pattern } of WHOLE_LABELS) {
    if (usualUnder.includes(topLevel) || isTopLevel.test(topLevel)) continue;
    const label = labels.find((candidate) => pattern.test(candidate));
    if (label) return `"${label}" in ${host} is ${script} and reads like "${latinOf(label)}".`;
  }
  return null;
}

function ownNameProblem({ host }: Target, { domains, readings }: ScanContext['own']): string | null {
  const domain = registrableDomain(host);
  if (!domain || domains.has(domain)) return null;
  const meant = readings.get(readingOf(domain));
  return meant ? `${host} looks like ${meant}, a host of this service.` : null;
}
