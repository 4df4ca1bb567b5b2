import type { MatchFacts } from '../events/presentMatch.ts';
import { confidenceOf } from '../matching/confidence.ts';
import type { Comparing } from './Found.ts';

/** The match that follows from comparing clicks with a device. Without one the best click tells why. */
export function matchByComparing({ choice, sharedReason }: Comparing): MatchFacts {
  const { chosen, weighed } = choice;
  if (!chosen) {
    const why = whyNone(sharedReason, new Set(weighed.map(({ verdict }) => verdict)));
    return { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
  }
  const { click, score, factors } = chosen;
  return {
    method: 'probabilistic',
    confidence: confidenceOf(score),
    factors,
    clickedAt: new Date(click.clickedAt),
  };
}

function whyNone(sharedReason: string | null, verdicts: ReadonlySet<string>): string {
  if (verdicts.has('ambiguous')) return 'ambiguous';
  if (verdicts.has('below_threshold')) return sharedReason ?? 'below_threshold';
  return verdicts.has('used') ? 'click_used' : 'no_click';
}
