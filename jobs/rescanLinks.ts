import { readRowsByIds } from '../src/db/rows.ts';
import { log } from '../src/kernel/log.ts';
import { clearFlag, flagLink, keepFlag } from '../src/links/flagService.ts';
import { storedUrls } from '../src/links/linkUrls.ts';
import { claimDueLinks, finishScans, requestedReviews } from '../src/links/scanDue.ts';
import { Link } from '../src/models/Link.ts';
import { Project } from '../src/models/Project.ts';
import { flagReasonOf, type ScanResult, scanUrls, verdictOf } from '../src/scan/scan.ts';
import type { ScannedUrl } from '../src/scan/target.ts';

const BATCH = 200;
/** More links wait for the next run, so that other work of the process is not delayed. */
const BATCHES_AT_ONCE = 10;

interface Scanned {
  link: Link;
  urls: ScannedUrl[];
  result: ScanResult;
}

/** Reviews flags on request, then rescans the links whose last scan is oldest. */
export async function rescanLinks(): Promise<void> {
  for (const scanned of await scan(await requestedReviews(BATCH))) await logFailure(scanned, review);
  for (let batch = 0; batch < BATCHES_AT_ONCE; batch += 1) {
    const { links, claim } = await claimDueLinks(BATCH);
    if (links.length === 0) return;
    const scanned = await scan(links);
    const known = new Set(idsOf(scanned));
    // They have their turn again after their restoration, and until then must not stand before those of others.
    const deleted = links.flatMap(({ id }) => (known.has(id) ? [] : [id]));
    await finishScans(deleted, claim, { passed: false });
    await rescan(scanned, claim);
  }
}

/** Links of deleted projects are left out. */
async function scan(given: Link[]): Promise<Scanned[]> {
  const projects = await readRowsByIds(Project, [...new Set(given.map(({ projectId }) => projectId))]);
  const live = new Set(projects.flatMap(({ id, deletionAt }) => (deletionAt === null ? [id] : [])));
  const links = given.filter(({ projectId }) => live.has(projectId));
  const sets = links.map(storedUrls);
  const results = await scanUrls(sets);
  return links.map((link, index) => ({
    link,
    urls: sets[index] as ScannedUrl[],
    result: results[index] as ScanResult,
  }));
}

/** Scans these links and flags those with a finding; the others stay as they are. */
export async function flagFound(ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const links = await readRowsByIds(Link, ids.slice(at, at + BATCH));
    for (const scanned of await scan(links)) if (!isClearedAlready(scanned)) await logFailure(scanned, flag);
  }
}

/** Links whose scan is incomplete stay due. */
async function rescan(all: Scanned[], claim: string): Promise<void> {
  const passed = all.filter(({ result }) => !result.finding && result.isComplete);
  const cleared = all.filter(isClearedAlready);
  await finishScans(idsOf(passed), claim, { passed: true });
  await finishScans(idsOf(cleared), claim, { passed: false });
  for (const scanned of all) {
    if (scanned.result.finding && !cleared.includes(scanned)) await logFailure(scanned, flag);
  }
}

function isClearedAlready({ link, urls, result: { finding } }: Scanned): boolean {
  return finding !== null && link.clearedVerdict === verdictOf(urls, flagReasonOf(finding));
}

async function flag({ link, urls, result: { finding } }: Scanned): Promise<void> {
  if (finding && (await flagLink(link.id, flagReasonOf(finding), urls))) {
    log.warn({ link: link.id, reason: flagReasonOf(finding) }, 'a link was flagged');
  }
}

async function review({ link, urls, result: { finding, isComplete } }: Scanned): Promise<void> {
  if (finding) await keepFlag(link.id, flagReasonOf(finding));
  else if (isComplete) await clearFlag(link.id, urls);
}

/** A link that fails, for example because it was deleted meanwhile, must not delay the others. */
async function logFailure(scanned: Scanned, work: (scanned: Scanned) => Promise<void>): Promise<void> {
  try {
    await work(scanned);
  } catch (error) {
    log.warn({ err: error, link: scanned.link.id }, 'cannot apply the result of a scan');
  }
}

function idsOf(scanned: Scanned[]): string[] {
  return scanned.map(({ link }) => link.id);
}
