import { setImmediate as yieldToIo } from 'node:timers/promises';
import { config } from '../kernel/config.ts';
import { CodedError, type FieldProblem } from '../kernel/errors.ts';
import { sha256 } from '../kernel/secrets.ts';
import { loadBlocklists } from './blocklistFiles.ts';
import { CHECKS, type CheckFacts, type Finding, type ScanContext } from './checks.ts';
import { ownHosts, verifiedLinkDomains } from './ownHosts.ts';
import { parseTarget, type ScannedUrl } from './target.ts';
import { checkWithWebRisk } from './webRisk.ts';

/**
 * Scans the URLs of several links, one result for each link, in order. Knows the verified link domains of all projects;
 * `alsoLinkDomains` are domains that are about to be verified. Throws only if the store cannot be queried.
 */
export async function scanUrls(sets: ScannedUrl[][], alsoLinkDomains: string[] = []): Promise<ScanResult[]> {
  return runChecks(sets, { linkDomains: [...alsoLinkDomains, ...(await verifiedLinkDomains(sets.flat()))] });
}

export interface ScanResult {
  finding: Finding | null;
  /** The finding as `destination_refused`, with the field, the check and what to do. */
  refusal: CodedError | null;
  /** False: a provider could not be reached. Leave `scannedAt` of the link null, so that it is scanned again later. */
  isComplete: boolean;
}

interface Options {
  /** Hosts among those of these URLs that are link domains of projects. */
  linkDomains?: string[];
}

/** Takes about a millisecond; then waiting redirects are answered first. */
const URLS_PER_SLICE = 200;

const UNREADABLE: CheckFacts = { name: 'form', finds: 'malformed URLs', advice: 'Use a complete http or https URL.' };

/** Runs all checks: one result for each link's URLs, in order. Does not throw if a provider is down; never uses DNS. */
export async function runChecks(sets: ScannedUrl[][], { linkDomains = [] }: Options = {}): Promise<ScanResult[]> {
  const context = await scanContext(linkDomains);
  const found: (Finding | null)[] = [];
  let urlsInSlice = 0;
  for (const set of sets) {
    urlsInSlice += set.length;
    if (urlsInSlice > URLS_PER_SLICE) {
      await yieldToIo();
      urlsInSlice = 0;
    }
    found.push(firstFinding(set, context));
  }
  const webRisk = await checkWithWebRisk(sets.map((set, index) => (found[index] ? [] : set)));
  return sets.map((_, index) => {
    const finding = found[index] ?? webRisk?.[index]?.finding ?? null;
    return {
      finding,
      refusal: finding && refusalOf(finding),
      isComplete: finding !== null || webRisk?.[index]?.isComplete !== false,
    };
  });
}

async function scanContext(linkDomains: string[]): Promise<ScanContext> {
  return {
    allowPrivate: config.allowPrivateTargets,
    own: ownHosts(linkDomains),
    blocklists: await loadBlocklists(),
  };
}

/**
 * What the checks that need no provider refuse of a link's URLs, each with its path and the message of the refusal. For
 * drafts, which are checked while they are typed: no request leaves this process.
 */
export async function localProblems(urls: ScannedUrl[]): Promise<FieldProblem[]> {
  const context = await scanContext(await verifiedLinkDomains(urls));
  return urls.flatMap((url) => {
    const finding = firstFinding([url], context);
    return finding ? [{ path: url.path, message: refusalOf(finding).message }] : [];
  });
}

function firstFinding(set: ScannedUrl[], context: ScanContext): Finding | null {
  for (const { path, url } of set) {
    const target = parseTarget(url);
    if (!target) return { path, check: UNREADABLE, problem: 'This is not a URL.' };
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

/** The finding as `flag_reason` shows it. */
export function flagReasonOf({ path, check, problem }: Finding): string {
  return `${path}: ${problem} (${check.name})`;
}

/** Identifies a finding about a link: a hash that changes with the reason and with each URL of the link. */
export function verdictOf(urls: ScannedUrl[], reason: string | null): string {
  return sha256(JSON.stringify([reason, fingerprintOf(urls)]));
}

/** A hash that changes with each URL of the link, so that no decision applies to URLs that have been replaced. */
export function fingerprintOf(urls: ScannedUrl[]): string {
  return sha256(JSON.stringify(urls.map(({ path, url }) => [path, url]).sort()));
}
