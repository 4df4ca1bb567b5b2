import type { Click } from '../clicks/click.ts';
import { listeningProjects } from '../clicks/listeningProjects.ts';
import { writeClicks } from '../clicks/store.ts';
import { takeTurns } from '../clicks/takeTurns.ts';
import { lockNames } from '../db/lockNames.ts';
import { readByIds, readModels } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { together } from '../db/together.ts';
import type { MatchFacts } from '../events/presentMatch.ts';
import { newId, toUuid } from '../kernel/ids.ts';
import { Install, type Origin } from '../models/Install.ts';
import { Link } from '../models/Link.ts';
import { tagsOfLinks } from '../services/links/linkTags.ts';
import { clickOfOpening } from './clickOfOpening.ts';
import type { Found } from './Found.ts';
import { figuresOfDevice } from './figures.ts';
import { findOrigin } from './findOrigin.ts';
import { installAfter } from './installAfter.ts';
import { writeReport } from './matchReports.ts';
import type { Opening } from './Opening.ts';
import { findAnsweredOpen, insertOpen, type OpenRow } from './opens.ts';
import { useClicks } from './usedClicks.ts';
import { writeInstall } from './writeInstall.ts';

/** What was written down of an opening, or had been before. */
export interface RecordedOpening {
  openId: string;
  match: MatchFacts;
  link: Link | null;
}

/** So long the same install's first opening gets the first answer (api.md §6). */
const REPEATED_MS = 86_400_000;

/**
 * Finds where an opening comes from and writes it down, with the click that it used, in one transaction: of a hundred
 * installs that ask for one click at once, one gets it. Openings that come together share a transaction.
 */
export const recordOpening = together<Opening, RecordedOpening>(async (openings, transaction) => {
  await lockNames(openings.flatMap(namesOf), transaction);
  const clicks: Click[] = [];
  const recorded: RecordedOpening[] = [];
  for (const opening of openings) recorded.push(await recordOne(opening, clicks, transaction));
  await countClicks(clicks, transaction);
  return recorded;
});

/** What two openings at once may want: the same install, or clicks from the same address. */
function namesOf({ projectId, installId, addressHashes }: Opening): string[] {
  return [installId, ...addressHashes.values()].map((name) => `${projectId} ${name}`);
}

async function countClicks(clicks: Click[], transaction: Transaction): Promise<void> {
  if (clicks.length === 0) return;
  const listeners = await listeningProjects(transaction);
  await takeTurns(
    clicks.map(({ projectId }) => projectId),
    transaction,
  );
  await writeClicks(clicks, (projectId) => listeners.has(projectId), transaction);
}

async function recordOne(opening: Opening, clicks: Click[], transaction: Transaction): Promise<RecordedOpening> {
  const { projectId, installId } = opening;
  const [install] = await readModels(Install, 'project_id = $1 AND install_id = $2', [projectId, installId], {
    transaction,
  });
  const repeated = install && (await repeatedAnswer(opening, install, transaction));
  if (repeated) return repeated;
  const found = await findAndUse(opening, transaction);
  const { origin, click } = await tellOrigin(opening, found, transaction);
  if (click) clicks.push(click);
  const clickId = click?.id ?? found.clickId;
  const open = openRow(opening, install ?? null, { ...found, clickId }, origin);
  await writeInstall(installAfter(install ?? null, opening, open, newId('ins')), transaction);
  await insertOpen(open, transaction);
  if (opening.isFirst) await writeReport(opening, found, transaction);
  return { openId: open.id, match: open, link: found.link };
}

async function repeatedAnswer(
  { isFirst, atMs }: Opening,
  { firstOpenId, firstOpenAt }: Install,
  transaction: Transaction,
): Promise<RecordedOpening | null> {
  if (!isFirst || !firstOpenId || !firstOpenAt || atMs - firstOpenAt.getTime() >= REPEATED_MS) return null;
  const answered = await findAnsweredOpen(firstOpenId, transaction);
  if (!answered) return null;
  // As it is now: a link that was flagged since must not be opened.
  const [link] = answered.linkId ? await readByIds(Link, [answered.linkId], transaction) : [];
  return { openId: firstOpenId, match: answered, link: link && link.flaggedAt === null ? link : null };
}

/** Somebody else may use the click between finding and using it, from another address by its token: then it is looked for again. */
async function findAndUse(opening: Opening, transaction: Transaction): Promise<Found> {
  for (;;) {
    const found = await findOrigin(opening, transaction);
    const used = await useClicks(opening, found.usedClicks, transaction);
    const isHad = found.clickId === null || !found.usedClicks.includes(found.clickId) || used.has(found.clickId);
    if (isHad) return found;
  }
}

/** What figures are told of where the opening came from, and the click that it is itself. */
async function tellOrigin(
  opening: Opening,
  { link, isClick, origin }: Found,
  transaction: Transaction,
): Promise<{ origin: Origin | null; click: Click | null }> {
  if (!link) return { origin: null, click: null };
  const tagIds = (await tagsOfLinks([link.id], transaction)).get(link.id)?.map(({ id }) => id) ?? [];
  const click = isClick ? clickOfOpening(opening, link, tagIds) : null;
  const { referrerHost = null, destination = null, rule = null, utm = null } = click ?? origin ?? {};
  return { origin: { referrerHost, destination, rule, utm: utm as Origin['utm'], tagIds }, click };
}

function openRow(opening: Opening, install: Install | null, found: Found, origin: Origin | null): OpenRow {
  const { projectId, installId, isFirst, atMs, device, place, appVersion } = opening;
  const { method, confidence, factors, clickedAt, clickId, link } = found;
  const kind = !isFirst ? 'open' : install?.installedAt ? 'reinstall' : 'install';
  return {
    id: toUuid(newId('evt')),
    projectId,
    installId,
    kind,
    occurredAt: atMs,
    ...{ method, confidence, factors, clickedAt, clickId },
    ...figuresOfDevice(device, place),
    appVersion,
    linkId: link?.id ?? null,
    domain: link?.domain ?? null,
    slug: link?.slug ?? null,
    origin,
    uncollected: kind === 'install' || method !== 'none',
  };
}
