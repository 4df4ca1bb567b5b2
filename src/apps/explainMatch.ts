import { MARGIN, type Verdict, type Weighed } from '../matching/choose.ts';
import type { DeviceFacts } from '../matching/deviceFacts.ts';
import { REASONS, VERDICTS } from '../matching/reasons.ts';
import type { Factor } from '../matching/score.ts';
import { THRESHOLD } from '../matching/score.ts';
import type { TokenSource } from '../matching/tokenGuards.ts';
import type { Comparing, Found } from './Found.ts';
import type { Opening } from './Opening.ts';

/** Why an opening was traced back to a click or was not, as it is stored and shown. */
export interface MatchReport {
  why: string;
  threshold: number;
  requiredMargin: number;
  /** How far the best click was ahead of the best one of another link; null without such. */
  margin: number | null;
  /** Null where no clicks were compared. `visitors` null: too many clicks to tell. */
  address: { shared: boolean; why: string; visitors: number | null } | null;
  tokens: { source: TokenSource; accepted: boolean; problem: string | null; why: string }[];
  /** What was compared, in the words of the wire; null where nothing was. */
  device: ReportedDevice | null;
  /** The best first. */
  candidates: ReportedClick[];
}

export interface ReportedClick {
  clickId: string;
  linkId: string;
  clickedAt: string;
  score: number;
  factors: Factor[];
  verdict: Verdict;
  why: string;
}

type ReportedDevice = ReturnType<typeof reportedDevice>;

function reportedDevice({ platform, osVersion, deviceModel, language, timezone, screen }: DeviceFacts) {
  return { platform, os_version: osVersion, device_model: deviceModel, language, timezone, screen };
}

/** What every match is measured by. */
export const RULES = { threshold: THRESHOLD, requiredMargin: MARGIN };

/** Clicks that a report names; a busy address has many that are all alike. */
const MOST_REPORTED = 20;

export function explainMatch(
  opening: Pick<Opening, 'device' | 'tokens'>,
  found: Pick<Found, 'method' | 'factors' | 'comparing'>,
): MatchReport {
  const { comparing } = found;
  return {
    why: whyOf(found),
    ...RULES,
    margin: comparing?.choice.margin ?? null,
    address: comparing && addressOf(comparing),
    tokens: tokensOf(opening, found),
    device: comparing && reportedDevice(opening.device),
    candidates: (comparing?.choice.weighed ?? []).slice(0, MOST_REPORTED).map(reported),
  };
}

const FOUND: Record<string, string> = {
  link: 'The app was opened by the URL of the link itself.',
  referrer: 'Google Play told the token of the click that led there.',
  clipboard: 'The token of the click was in the clipboard.',
  probabilistic: `One click fits: it has at least ${THRESHOLD} points, and no click on another link comes near.`,
};

function whyOf({ method, factors }: Pick<Found, 'method' | 'factors'>): string {
  const sentence = FOUND[method];
  if (sentence) return sentence;
  return factors.map(({ name }) => REASONS[name] ?? name).join(' ');
}

function addressOf({ sharedReason, visitors }: Comparing): MatchReport['address'] {
  const why = sharedReason === null ? 'It looks like that of a few people.' : (REASONS[sharedReason] ?? sharedReason);
  return { shared: sharedReason !== null, why, visitors: Number.isFinite(visitors) ? visitors : null };
}

/** Those that were looked at: the search ends with the first that holds. */
function tokensOf(
  { tokens }: Pick<Opening, 'tokens'>,
  { method, factors }: Pick<Found, 'method' | 'factors'>,
): MatchReport['tokens'] {
  const problems = factors.filter(({ name }) => name in REASONS).map(({ name }) => name);
  return tokens.flatMap(({ source }, at) => {
    const problem = problems[at] ?? null;
    if (problem === null && source !== method) return [];
    return [{ source, accepted: problem === null, problem, why: REASONS[problem ?? ''] ?? FOUND[source] ?? '' }];
  });
}

function reported({ click, score, factors, verdict }: Weighed): ReportedClick {
  return {
    clickId: click.clickId,
    linkId: click.linkId,
    clickedAt: new Date(click.clickedAt).toISOString(),
    score,
    factors,
    verdict,
    why: VERDICTS[verdict],
  };
}
