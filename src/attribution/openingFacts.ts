import { addressKey, type MatchClick, readMatchClicks } from '../clicks/matchClickStore.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { readRows, readRowsByIds } from '../db/rows.ts';
import type { Model, ModelStatic, Transaction } from '../db/sequelize.ts';
import { dayOf } from '../kernel/clock.ts';
import { Install } from '../models/Install.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { MAX_CLICKS_READ, type SeenInstall } from './decide/peopleAtAddress.ts';
import type { InstallRow } from './installsStore.ts';
import { installKey, type Opening, type OpeningAnswer } from './Opening.ts';
import { readAnswers, type StoredAnswer } from './opensStore.ts';
import { readStoredClicks, type StoredClick } from './origins.ts';
import { readSeenInstalls } from './seenInstallsStore.ts';
import { type ClickUser, readClickUsers } from './usedClicksStore.ts';

/**
 * Everything from the store that attribution depends on. `applyOpening` updates it, so that openings of one transaction see
 * each other.
 */
export interface OpeningFacts {
  projects: ReadonlyMap<string, Project>;
  /** By `installKey`. */
  installs: Map<string, InstallRow>;
  /** Answers to first openings, by the openings' ids. */
  answers: Map<string, OpeningAnswer>;
  links: ReadonlyMap<string, Link>;
  /** The clicks of presented tokens, by id. */
  tokenClicks: ReadonlyMap<string, StoredClick>;
  /** By `addressKey`. */
  clicks: ReadonlyMap<string, MatchClick[]>;
  /** Apps that were opened at an address, by `addressKey`. */
  seen: ReadonlyMap<string, SeenInstall[]>;
  /** The installs that used clicks, by click id. */
  users: Map<string, ClickUser>;
}

/** Reads the facts for all openings of one transaction. */
export async function readOpeningFacts(openings: readonly Opening[], transaction: Transaction): Promise<OpeningFacts> {
  const projectIds = openings.map(({ projectId }) => projectId);
  const projects = await byId(Project, projectIds, transaction);
  const users = await readClickUsers(tokenClickIds(openings), transaction);
  const installs = await readInstalls([...openings, ...guessingInstalls(openings, users)], transaction);
  const firstOpens = installs.flatMap(({ firstOpenId }) => firstOpenId ?? []);
  const answers = await readAnswers(firstOpens, transaction);
  const tokens = openings.flatMap(({ tokens }) => tokens.flatMap(({ check }) => (check.ok ? check : [])));
  const tokenClicks = await readStoredClicks(tokenClickIds(openings), projectIds, transaction);
  const clicks = await readMatchClicks(addressesOf(openings, tokenClicks), MAX_CLICKS_READ, transaction);
  const allClicks = [...clicks.values()].flat();
  const linkIds = [
    ...tokens.map(({ linkId }) => linkId),
    ...allClicks.map(({ linkId }) => linkId),
    ...[...answers.values()].flatMap(({ linkId }) => linkId ?? []),
  ];
  // `byToken` only matters for clicks whose tokens are presented, and those are in `users` already.
  for (const { clickId, usedBy } of allClicks)
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

/** The ids of the clicks whose tokens are presented and genuine. */
export function tokenClickIds(openings: readonly Opening[]): string[] {
  return openings.flatMap(({ tokens }) => tokens.flatMap(({ check }) => (check.ok ? check.clickId : [])));
}

type InstallName = Pick<Opening, 'projectId' | 'installId'>;

/** The installs that were matched to a click by a guess, while its token is presented now. */
export function guessingInstalls(openings: readonly Opening[], users: ReadonlyMap<string, ClickUser>): InstallName[] {
  return openings.flatMap((opening) =>
    tokenClickIds([opening]).flatMap((clickId) => {
      const { installId = '', byToken = true } = users.get(clickId) ?? {};
      return byToken || installId === '' ? [] : [{ projectId: opening.projectId, installId }];
    }),
  );
}

function answerOf(openId: string, answered: StoredAnswer, links: ReadonlyMap<string, Link>): OpeningAnswer {
  return { openId, match: answered, link: links.get(answered.linkId ?? '') ?? null };
}

/** The clicks from an address on the days of these hashes, with the installs that have used them so far. */
export function clicksFrom(
  { clicks, users }: OpeningFacts,
  projectId: string,
  hashes: Iterable<[day: number, hash: string]>,
): MatchClick[] {
  const found = [...hashes].flatMap(([day, hash]) => clicks.get(addressKey({ day, projectId, hash })) ?? []);
  return found.map((click) => ({ ...click, usedBy: users.get(click.clickId)?.installId ?? null }));
}

/** The other installs that were opened at the address of an opening, on the days whose hashes are known. */
export function seenAt({ seen }: OpeningFacts, { projectId, installId, addressHashes }: Opening): SeenInstall[] {
  const there = [...addressHashes].flatMap(([day, hash]) => seen.get(addressKey({ day, projectId, hash })) ?? []);
  return there.filter((each) => each.installId !== installId);
}

/** Adds an opening to `seen`, for the openings that are decided after it. */
export function rememberSeen(
  { seen }: OpeningFacts,
  { projectId, installId, device, atMs, addressHash }: Opening,
): void {
  const there = seen.get(addressKey({ day: dayOf(atMs), projectId, hash: addressHash }));
  there?.push({ ...device, installId, openedAt: atMs });
}

async function byId<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  ids: string[],
  transaction: Transaction,
): Promise<Map<string, Row>> {
  const rows = await readRowsByIds(model, [...new Set(ids)], transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readInstalls(openings: readonly InstallName[], transaction: Transaction): Promise<InstallRow[]> {
  const found: Install[] = [];
  for (const [projectId, ofProject] of Map.groupBy(openings, (opening) => opening.projectId)) {
    const ids = inListValue([...new Set(ofProject.map(({ installId }) => installId))]);
    const condition = `project_id = $1 AND ${inList('install_id', '$2')}`;
    found.push(...(await readRows(Install, condition, [projectId, ids], { transaction, select: queryRaw })));
  }
  return found.map((install) => install.get({ plain: true }));
}

/** The addresses of first openings, and those of token clicks, where the siblings of these clicks are. */
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
