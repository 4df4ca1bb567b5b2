import { setImmediate as nextTurn } from 'node:timers/promises';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { askWebRisk } from './askWebRisk.ts';
import { blocklists } from './blocklists.ts';
import { CHECKS, type CheckFacts, type ScanContext } from './checks.ts';
import { ownHosts } from './ownHosts.ts';
import { parseTarget } from './target.ts';

/** `path`: where the URL stands on the wire, such as `routing.rules.0.destination`. */
export interface ScannedUrl {
  path: string;
  url: string;
}

/** What a check found, and where. */
export interface Finding {
  path: string;
  check: CheckFacts;
  problem: string;
}

export interface ScanResult {
  finding: Finding | null;
  /** The finding as `destination_refused`: which field, which check, and what to do. */
  refusal: CodedError | null;
  /** False: a provider could not be asked. Such a link is scanned again later: leave its `scannedAt` null. */
  isComplete: boolean;
}

interface Options {
  /** Link domains of projects among the hosts of these URLs. */
  linkDomains?: string[];
}

/** Work of a millisecond, after which redirects get their turn. */
const URLS_PER_TURN = 200;

const UNREADABLE: CheckFacts = { name: 'form', finds: 'malformed URLs', advice: 'Use a complete http or https URL.' };

/** One result for each link's URLs, in order. Never throws for a provider that is down; never uses DNS. */
export async function scanMany(sets: ScannedUrl[][], { linkDomains = [] }: Options = {}): Promise<ScanResult[]> {
  const context: ScanContext = {
    allowPrivate: config.allowPrivateTargets,
    own: ownHosts(linkDomains),
    blocklists: await blocklists(),
  };
  const found: (Finding | null)[] = [];
  let urlsThisTurn = 0;
  for (const set of sets) {
    urlsThisTurn += set.length;
    if (urlsThisTurn > URLS_PER_TURN) {
      await nextTurn();
      urlsThisTurn = 0;
    }
    found.push(firstFinding(set, context));
  }
  const asked = await askWebRisk(sets.map((set, index) => (found[index] ? [] : set)));
  return sets.map((_, index) => {
    const finding = found[index] ?? asked?.[index]?.finding ?? null;
    return {
      finding,
      refusal: finding && refusalOf(finding),
      isComplete: finding !== null || asked?.[index]?.isComplete !== false,
    };
  });
}

function firstFinding(set: ScannedUrl[], context: ScanContext): Finding | null {
  for (const { path, url } of set) {
    const target = parseTarget(url);
    if (!target) return { path, check: UNREADABLE, problem: 'This is no URL.' };
    for (const check of CHECKS) {
      const problem = target.isWeb || check.forApps ? check.problem(target, context) : null;
      if (problem) return { path, check, problem };
    }
  }
  return null;
}

function refusalOf({ path, check, problem }: Finding): CodedError {
  return new CodedError(
    'destination_refused',
    `The check for ${check.finds} (${check.name}) refused ${path}: ${problem} ${check.advice}`,
  );
}
