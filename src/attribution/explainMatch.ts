import type { Factor } from '../models/match.ts';
import type { TokenSource } from './clickTokens.ts';
import { MARGIN, type ScoredClick, type Verdict } from './decide/chooseClick.ts';
import type { ClickComparison } from './decide/compareClicks.ts';
import type { DeviceFacts } from './decide/compareDevices.ts';
import { THRESHOLD } from './decide/score.ts';
import type { Attribution, Opening } from './Opening.ts';

/** Why an opening matched a click or did not, as it is stored and shown. */
export interface MatchReport {
  why: string;
  threshold: number;
  requiredMargin: number;
  /** By how many points the best click led the best click on another link; null if there was none. */
  margin: number | null;
  /** Null if no clicks were compared. `visitors` is null if there were too many to count. */
  address: { shared: boolean; why: string; visitors: number | null } | null;
  tokens: { source: TokenSource; accepted: boolean; problem: string | null; why: string }[];
  /** The facts that were compared, in the spelling of the API; null if no clicks were compared. */
  device: ReportedDevice | null;
  /** The best first. */
  candidates: ReportedClick[];
}

interface ReportedClick {
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

/** What every match must reach. */
export const RULES = { threshold: THRESHOLD, requiredMargin: MARGIN };

/** The most clicks that a report lists: a busy address has many similar ones. */
const MAX_REPORTED = 20;

/** The report on how an opening was attributed. */
export function explainMatch(
  opening: Pick<Opening, 'device' | 'tokens'>,
  found: Pick<Attribution, 'method' | 'factors' | 'comparison'>,
): MatchReport {
  const { comparison } = found;
  return {
    why: whyOf(found),
    ...RULES,
    margin: comparison?.choice.margin ?? null,
    address: comparison && addressOf(comparison),
    tokens: tokensOf(opening, found),
    device: comparison && reportedDevice(opening.device),
    candidates: (comparison?.choice.scored ?? []).slice(0, MAX_REPORTED).map(reported),
  };
}

const FOUND: Record<string, string> = {
  link: 'The app was opened by the URL of the link itself.',
  referrer: 'The Google Play referrer contains the token of the click.',
  clipboard: 'The clipboard contains the token of the click.',
  probabilistic: `One click fits: it has at least ${THRESHOLD} points, and no click on another link comes close.`,
};

function whyOf({ method, factors }: Pick<Attribution, 'method' | 'factors'>): string {
  const sentence = FOUND[method];
  if (sentence) return sentence;
  return factors.map(({ name }) => REASONS[name] ?? name).join(' ');
}

function addressOf({ sharedReason, visitors }: ClickComparison): MatchReport['address'] {
  const why = sharedReason === null ? 'Only a few people seem to share it.' : (REASONS[sharedReason] ?? sharedReason);
  return { shared: sharedReason !== null, why, visitors: Number.isFinite(visitors) ? visitors : null };
}

/** The tokens that were checked: the search ends with the first valid one. */
function tokensOf(
  { tokens }: Pick<Opening, 'tokens'>,
  { method, factors }: Pick<Attribution, 'method' | 'factors'>,
): MatchReport['tokens'] {
  const problems = factors.filter(({ name }) => name in REASONS).map(({ name }) => name);
  return tokens.flatMap(({ source }, at) => {
    const problem = problems[at] ?? null;
    if (problem === null && source !== method) return [];
    return [{ source, accepted: problem === null, problem, why: REASONS[problem ?? ''] ?? FOUND[source] ?? '' }];
  });
}

function reported({ click, score, factors, verdict }: ScoredClick): ReportedClick {
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

/** Sentences for the factors of openings that did not match. */
export const REASONS: Record<string, string> = {
  not_first_open: 'Only a first opening is traced back to a click.',
  no_consent: 'The user did not consent to comparing the device with clicks.',
  probabilistic_off: 'Probabilistic matching is switched off in this project.',
  platform_web: 'Browsers are not compared with clicks.',
  no_click:
    'No click from this address qualifies: within the match window, on this platform, and on a link that still works.',
  click_used: 'The clicks from this address were used by other installs.',
  below_threshold: `No click reached ${THRESHOLD} points.`,
  ambiguous: `Clicks on several links fit about equally well: the best did not lead by ${MARGIN} points.`,
  shared_network:
    "The address belongs to a network that many people share, so it gives no points, and the rest isn't enough.",
  many_visitors: "Many people clicked from this address recently, so it gives no points, and the rest isn't enough.",
  guess_taken_back:
    'It was matched to a click by a guess, until another install presented the token of that click. The comparison is shown below.',
  token_malformed: 'The token was not issued by this service, or a part of it is missing.',
  token_forged: 'The token was not signed by this service, or it was changed.',
  token_expired: 'The token is older than 90 days.',
  token_foreign: "The token belongs to another project's link.",
  token_used: 'Another install has used the token before.',
  install_before_click: 'The app was being installed before the click, so the click was injected.',
  link_gone: 'The link was deleted.',
  link_flagged: 'The link was flagged as harmful.',
};

/** Sentences for what became of a compared click. */
const VERDICTS: Record<Verdict, string> = {
  matched: 'It fits best, by a clear margin.',
  used: 'An install has used it before, or another click of the same visitor.',
  outside_window: 'It is older than the match window of its link, or later than the opening.',
  other_platform: 'It was made on another platform.',
  link_gone: 'Its link was deleted.',
  link_flagged: 'Its link was flagged as harmful.',
  other_address: 'It came from another address, so it would not be compared.',
  not_a_person: 'Its user agent is not that of a browser: only clicks of people are compared.',
  below_threshold: `It has fewer than ${THRESHOLD} points.`,
  not_the_last: 'The same visitor followed a link later: the last click counts.',
  ambiguous: `It is fewer than ${MARGIN} points apart from a click on another link.`,
  less_likely: 'Another click fits better.',
};
