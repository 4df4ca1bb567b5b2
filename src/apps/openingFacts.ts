import { among, amongValue } from '../db/among.ts';
import { readByIds, readModels } from '../db/readModels.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Model, ModelStatic, Transaction } from '../db/sequelize.ts';
import { dayOf } from '../kernel/durations.ts';
import { addressKey, type MatchClick, readMatchClicks } from '../matching/matchClicks.ts';
import { MOST_CLICKS } from '../matching/sharedAddress.ts';
import { Install } from '../models/Install.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { installKey, type Opening, type RecordedOpening } from './Opening.ts';
import { type Answered, readAnswers } from './opens.ts';
import { readStoredClicks, type StoredClick } from './storedClicks.ts';
import { usersOfClicks } from './usedClicks.ts';
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
  /** The installs that clicks were used for. */
  users: Map<string, string>;
}

/** Reads all of it, for openings that are decided on in one transaction. */
export async function readFacts(openings: readonly Opening[], transaction: Transaction): Promise<OpeningFacts> {
  const projects = await byId(
    Project,
    openings.map(({ projectId }) => projectId),
    transaction,
  );
  const installs = await readInstalls(openings, transaction);
  const firstOpens = installs.flatMap(({ firstOpenId }) => firstOpenId ?? []);
  const answers = await readAnswers(firstOpens, transaction);
  const tokens = openings.flatMap(({ tokens }) => tokens.flatMap(({ judged }) => (judged.ok ? judged : [])));
  const tokenIds = tokens.map(({ clickId }) => clickId);
  const tokenClicks = await readStoredClicks(tokenIds, transaction);
  const clicks = await readMatchClicks(addressesOf(openings, tokenClicks), MOST_CLICKS, transaction);
  const found = [...clicks.values()].flat();
  const linkIds = [
    ...tokens.map(({ linkId }) => linkId),
    ...found.map(({ linkId }) => linkId),
    ...[...answers.values()].flatMap(({ linkId }) => linkId ?? []),
  ];
  const users = await usersOfClicks(tokenIds, transaction);
  for (const { clickId, usedBy } of found) if (usedBy !== null) users.set(clickId, usedBy);
  const links = await byId(Link, linkIds, transaction);
  return {
    projects,
    installs: new Map(installs.map((install) => [installKey(install), install])),
    answers: new Map([...answers].map(([openId, answered]) => [openId, answerOf(openId, answered, links)])),
    links,
    tokenClicks,
    clicks,
    users,
  };
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
  return found.map((click) => ({ ...click, usedBy: users.get(click.clickId) ?? null }));
}

async function byId<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  ids: string[],
  transaction: Transaction,
): Promise<Map<string, Row>> {
  const rows = await readByIds(model, [...new Set(ids)], transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readInstalls(openings: readonly Opening[], transaction: Transaction): Promise<InstallRow[]> {
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
  const own = openings
    .filter(({ isFirst }) => isFirst)
    .flatMap(({ projectId, addressHashes }) => [...addressHashes].map(([day, hash]) => ({ day, projectId, hash })));
  const ofTokens = [...tokenClicks.values()].map(({ projectId, addressHash: hash, occurredAt }) => {
    return { day: dayOf(occurredAt), projectId, hash };
  });
  return [...own, ...ofTokens];
}
