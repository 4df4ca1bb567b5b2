import { LRUCache } from 'lru-cache';
import { dialect, select } from '../db/database.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { CodedError } from '../kernel/errors.ts';
import { decideQuota, type Made, type Quota } from './accountQuota.ts';

/** How many links a new account may make (a setting) within how long. */
const LIMITS = [
  { windowSeconds: 3600, per: 'an hour', setting: 'newAccountLinksPerHour' },
  { windowSeconds: 86_400, per: 'a day', setting: 'newAccountLinksPerDay' },
] as const;

const LONGEST_MINUTES = Math.max(...LIMITS.map(({ windowSeconds }) => windowSeconds)) / 60;
const MINUTE_MS = 60_000;

/** None of it ever changes, so that nobody asks twice about a team that has no limits any more. */
const facts = new LRUCache<string, { createdAtMs: number; hasNoLimits: boolean }>({ max: 50_000 });

/**
 * How many of `wanted` new links the team may make now, counted without races in this transaction: others of the team
 * wait until it ends. `refusal` (`account_limit_reached`: which limit, when it eases) when they are fewer than wanted.
 * What is granted is counted unless `returnAccountQuota` gives it back; deleting links gives nothing back. A transaction
 * that asks for several teams does so in the order of their ids.
 */
export async function takeAccountQuota(
  teamId: string,
  wanted: number,
  transaction: Transaction,
): Promise<{ granted: number; refusal: CodedError | null }> {
  if (wanted <= 0 || !(await isNew(teamId, transaction))) return { granted: Math.max(wanted, 0), refusal: null };
  await lockTeam(teamId, transaction);
  const minute = Math.floor(clock.now() / MINUTE_MS);
  const made = await recentlyMade(teamId, minute, transaction);
  const quota = decideQuota(limitsInForce(), made, wanted, minute);
  if (quota.granted > 0) await count(teamId, minute, quota.granted, transaction);
  return { granted: quota.granted, refusal: refusalOf(quota) };
}

/**
 * Why the team may make no link at all now; null when it may. For whoever wants to know before the transaction that
 * counts: links of such a team are not even scanned.
 */
export async function exhaustedQuota(teamId: string): Promise<CodedError | null> {
  if (!(await isNew(teamId))) return null;
  const minute = Math.floor(clock.now() / MINUTE_MS);
  return refusalOf(decideQuota(limitsInForce(), await madeBy(teamId), 1, minute));
}

/** Counts links of the team that were granted in this transaction and then not made as never asked for. */
export async function returnAccountQuota(teamId: string, unused: number, transaction: Transaction): Promise<void> {
  if (unused <= 0 || !(await isNew(teamId, transaction))) return;
  await count(teamId, Math.floor(clock.now() / MINUTE_MS), -unused, transaction);
}

async function isNew(teamId: string, transaction?: Transaction): Promise<boolean> {
  const { createdAtMs, hasNoLimits } = facts.get(teamId) ?? (await learn(teamId, transaction));
  return !hasNoLimits && clock.now() < createdAtMs + config.newAccountDays * DAY_MS;
}

async function learn(teamId: string, transaction?: Transaction) {
  const sql = 'SELECT created_at AS "createdAt", has_no_limits AS "hasNoLimits" FROM teams WHERE id = :teamId';
  const rows = await select<{ createdAt: Date | string; hasNoLimits: unknown }>(sql, { teamId }, transaction);
  const [team] = rows;
  if (!team) return { createdAtMs: 0, hasNoLimits: true };
  const known = { createdAtMs: new Date(team.createdAt).getTime(), hasNoLimits: Boolean(team.hasNoLimits) };
  facts.set(teamId, known);
  return known;
}

/** Rows that point to the team may be written meanwhile (NO KEY). SQLite has one writer, who has begun already. */
async function lockTeam(teamId: string, transaction: Transaction): Promise<void> {
  if (dialect() !== 'postgres') return;
  await select('SELECT id FROM teams WHERE id = :teamId FOR NO KEY UPDATE', { teamId }, transaction);
}

function madeBy(teamId: string, transaction?: Transaction): Promise<Made[]> {
  return selectBound<Made>(
    'SELECT minute, count FROM new_account_links WHERE team_id = $1 ORDER BY minute',
    [teamId],
    transaction,
  );
}

/** What may still count, oldest first; the rest is forgotten. */
async function recentlyMade(teamId: string, minute: number, transaction: Transaction): Promise<Made[]> {
  const rows = await madeBy(teamId, transaction);
  const oldest = minute - LONGEST_MINUTES;
  if (rows[0] && rows[0].minute < oldest) {
    await withJsonRows(
      { team_id: 'text', minute: 'integer' },
      [[teamId, oldest]],
      `DELETE FROM new_account_links WHERE team_id = (SELECT team_id FROM given)
        AND minute < (SELECT minute FROM given)`,
      transaction,
    );
  }
  return rows.filter((row) => row.minute >= oldest);
}

async function count(teamId: string, minute: number, granted: number, transaction: Transaction): Promise<void> {
  await withJsonRows(
    { team_id: 'text', minute: 'integer', count: 'integer' },
    [[teamId, minute, granted]],
    `INSERT INTO new_account_links (team_id, minute, count) SELECT team_id, minute, count FROM given WHERE true
     ON CONFLICT (team_id, minute) DO UPDATE SET count = new_account_links.count + excluded.count`,
    transaction,
  );
}

function limitsInForce() {
  return LIMITS.map(({ windowSeconds, per, setting }) => ({
    windowMinutes: windowSeconds / 60,
    most: config[setting],
    per,
  }));
}

function refusalOf({ reached }: Quota<ReturnType<typeof limitsInForce>[number]>): CodedError | null {
  if (!reached) return null;
  const { limit, easesAtMinute } = reached;
  const eases = new Date(easesAtMinute * MINUTE_MS).toISOString();
  return new CodedError(
    'account_limit_reached',
    `A new account makes at most ${limit.most} links in ${limit.per}; the next can be made from ${eases} on.`,
  );
}
