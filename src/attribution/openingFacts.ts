import { among, amongValue } from '../db/among.ts';
import { readByIds, readModels } from '../db/readModels.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Model, ModelStatic, Transaction } from '../db/sequelize.ts';
import { dayOf } from '../kernel/durations.ts';
import type { SeenInstall } from '../matching/beside.ts';
import { addressKey, type MatchClick, readMatchClicks } from '../matching/matchClicks.ts';
import { readSeenInstalls } from '../matching/seenInstalls.ts';
import { MOST_CLICKS } from '../matching/sharedAddress.ts';
import { Install } from '../models/Install.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { installKey, type Opening, type RecordedOpening } from './Opening.ts';
import { type Answered, readAnswers } from './opens.ts';
import { readStoredClicks, type StoredClick } from './storedClicks.ts';
import { type ClickUser, usersOfClicks } from './usedClicks.ts';
import type { InstallRow } from './writeInstalls.ts';

/** What the store knows that openings are judged by. Whoever decides on one tells the others, which come later. */
export interface OpeningFacts {
  projects: ReadonlyMap<string, Project>;
  /** By `installKey`. */
  installs: Map<string, InstallRow>;
  /** To first openings, by their ids. */
  answers: Map<string, RecordedOpening>;
  links: ReadonlyMap<string, Link>;
  /** Clicks that tokens name. */
  tokenClicks: ReadonlyMap<string, StoredClick>;
  /** By `addressKey`. */
  clicks: ReadonlyMap<string, MatchClick[]>;
  /** Apps that were opened at an address, by `addressKey`. */
  seen: ReadonlyMap<string, SeenInstall[]>;
  /** The installs that clicks were used for. */
  users: Map<string, ClickUser>;
}

/** Reads all of it, for openings that are decided on in one transaction. */
export async function readFacts(openings: readonly Opening[], transaction: Transaction): Promise<OpeningFacts> {
  const projects = await byId(
    Project,
    openings.map(({ projectId }) => projectId),
    transaction,
  );
  const users = await usersOfClicks(tokenClickIds(openings), transaction);
  const installs = await readInstalls([...openings, ...guessersOf(openings, users)], transaction);
  const firstOpens = installs.flatMap(({ firstOpenId }) => firstOpenId ?? []);
  const answers = await readAnswers(firstOpens, transaction);
  const tokens = openings.flatMap(({ tokens }) => tokens.flatMap(({ judged }) => (judged.ok ? judged : [])));
  const tokenClicks = await readStoredClicks(tokenClickIds(openings), transaction);
  const clicks = await readMatchClicks(addressesOf(openings, tokenClicks), MOST_CLICKS, transaction);
  const found = [...clicks.values()].flat();
  const linkIds = [
    ...tokens.map(({ linkId }) => linkId),
    ...found.map(({ linkId }) => linkId),
    ...[...answers.values()].flatMap(({ linkId }) => linkId ?? []),
  ];
  // Whether by their tokens matters of those alone whose tokens are brought.
  for (const { clickId, usedBy } of found)
    if (usedBy !== null && !users.has(clickId)) users.set(clickId, { installId: usedBy, byToken: true });
  const links = await byId(Link, linkIds, transaction);
  return {
    projects,
    installs: new Map(installs.map((install) => [installKey(install), install])),
    answers: new Map([...answers].map(([openId, answered]) => [openId, answerOf(openId, answered, links)])),
    links,
    tokenClicks,
    clicks,
    seen: await readSeenInstalls(ownAddresses(openings), transaction),
    users,
  };
}

/** The clicks whose tokens are brought, as far as those are genuine. */
export function tokenClickIds(openings: readonly Opening[]): string[] {
  return openings.flatMap(({ tokens }) => tokens.flatMap(({ judged }) => (judged.ok ? judged.clickId : [])));
}

type InstallName = Pick<Opening, 'projectId' | 'installId'>;

/** Other installs that have used a click without its token, which is brought now. */
export function guessersOf(openings: readonly Opening[], users: ReadonlyMap<string, ClickUser>): InstallName[] {
  return openings.flatMap((opening) =>
    tokenClickIds([opening]).flatMap((clickId) => {
      const { installId = '', byToken = true } = users.get(clickId) ?? {};
      return byToken || installId === '' ? [] : [{ projectId: opening.projectId, installId }];
    }),
  );
}

function answerOf(openId: string, answered: Answered, links: ReadonlyMap<string, Link>): RecordedOpening {
  return { openId, match: answered, link: links.get(answered.linkId ?? '') ?? null };
}

/** Clicks from an address as far as a day's key tells, without what was used meanwhile. */
export function clicksFrom(
  { clicks, users }: OpeningFacts,
  projectId: string,
  hashes: Iterable<[day: number, hash: string]>,
): MatchClick[] {
  const found = [...hashes].flatMap(([day, hash]) => clicks.get(addressKey({ day, projectId, hash })) ?? []);
  return found.map((click) => ({ ...click, usedBy: users.get(click.clickId)?.installId ?? null }));
}

/** Other apps that were opened at the address of an opening, as far as a day's key tells. */
export function seenAt({ seen }: OpeningFacts, { projectId, installId, addressHashes }: Opening): SeenInstall[] {
  const there = [...addressHashes].flatMap(([day, hash]) => seen.get(addressKey({ day, projectId, hash })) ?? []);
  return there.filter((each) => each.installId !== installId);
}

/** That this one was opened, for those that are decided on after it. */
export function noteSeen({ seen }: OpeningFacts, { projectId, installId, device, atMs, addressHash }: Opening): void {
  const there = seen.get(addressKey({ day: dayOf(atMs), projectId, hash: addressHash }));
  there?.push({ ...device, installId, openedAt: atMs });
}

async function byId<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  ids: string[],
  transaction: Transaction,
): Promise<Map<string, Row>> {
  const rows = await readByIds(model, [...new Set(ids)], transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readInstalls(openings: readonly InstallName[], transaction: Transaction): Promise<InstallRow[]> {
  const found: Install[] = [];
  for (const [projectId, ofProject] of Map.groupBy(openings, (opening) => opening.projectId)) {
    const ids = amongValue([...new Set(ofProject.map(({ installId }) => installId))]);
    const condition = `project_id = $1 AND ${among('install_id', '$2')}`;
    found.push(...(await readModels(Install, condition, [projectId, ids], { transaction, select: selectBound })));
  }
  return found.map((install) => install.get({ plain: true }));
}

/** Of first openings their own, of tokens those that their clicks came from, where the siblings are. */
function addressesOf(openings: readonly Opening[], tokenClicks: ReadonlyMap<string, StoredClick>) {
  const ofTokens = [...tokenClicks.values()].map(({ projectId, addressHash: hash, occurredAt }) => {
    return { day: dayOf(occurredAt), projectId, hash };
  });
  return [...ownAddresses(openings), ...ofTokens];
}

function ownAddresses(openings: readonly Opening[]) {
  return openings
    .filter(({ isFirst }) => isFirst)
    .flatMap(({ projectId, addressHashes }) => [...addressHashes].map(([day, hash]) => ({ day, projectId, hash })));
}
