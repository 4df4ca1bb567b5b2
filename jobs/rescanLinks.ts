import { readRowsByIds } from '../src/db/rows.ts';
import { log } from '../src/kernel/log.ts';
import { clearFlag, flagLink, keepFlag } from '../src/links/flagService.ts';
import { storedUrls } from '../src/links/linkUrls.ts';
import { claimDueLinks, finishScans, requestedReviews } from '../src/links/scanDue.ts';
import { Link } from '../src/models/Link.ts';
import { flagReasonOf, type ScanResult, scanUrls, verdictOf } from '../src/scan/scan.ts';
import type { ScannedUrl } from '../src/scan/target.ts';

const BATCH = 200;
/** The rest waits for the next time: other work of the process gets its turn. */
const BATCHES_AT_ONCE = 10;

interface Scanned {
  link: Link;
  urls: ScannedUrl[];
  result: ScanResult;
}

/** Looks at flags whose review is requested, then scans links again that were not scanned for long. */
export async function rescanLinks(): Promise<void> {
  for (const scanned of await scan(await requestedReviews(BATCH))) await guarded(scanned, review);
  for (let batch = 0; batch < BATCHES_AT_ONCE; batch += 1) {
    const { links, claim } = await claimDueLinks(BATCH);
    if (links.length === 0) return;
    await rescan(await scan(links), claim);
  }
}

async function scan(links: Link[]): Promise<Scanned[]> {
  const sets = links.map(storedUrls);
  const results = await scanUrls(sets);
  return links.map((link, index) => ({
    link,
    urls: sets[index] as ScannedUrl[],
    result: results[index] as ScanResult,
  }));
}

/** Flags those of these links that a scan finds something about; the others stay as they are. */
export async function flagFound(ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const links = await readRowsByIds(Link, ids.slice(at, at + BATCH));
    for (const scanned of await scan(links)) if (!isClearedAlready(scanned)) await guarded(scanned, flag);
  }
}

/** What could not be asked about stays due. */
async function rescan(all: Scanned[], claim: string): Promise<void> {
  const passed = all.filter(({ result }) => !result.finding && result.isComplete);
  const cleared = all.filter(isClearedAlready);
  await finishScans(idsOf(passed), claim, { passed: true });
  await finishScans(idsOf(cleared), claim, { passed: false });
  for (const scanned of all) {
    if (scanned.result.finding && !cleared.includes(scanned)) await guarded(scanned, flag);
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

/** One link that fails, because it was deleted just now or for good, must not keep the others waiting. */
async function guarded(scanned: Scanned, work: (scanned: Scanned) => Promise<void>): Promise<void> {
  try {
    await work(scanned);
  } catch (error) {
    log.warn({ err: error, link: scanned.link.id }, 'a scanned link could not be dealt with');
  }
}

function idsOf(scanned: Scanned[]): string[] {
  return scanned.map(({ link }) => link.id);
}
