import { LRUCache } from 'lru-cache';
import { ofStore } from '../db/ofStore.ts';
import { query } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { lockNames } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import type { Team } from '../models/Team.ts';
import { decideQuota, type MinuteCount, type QuotaDecision, quotaUse } from './decideAccountQuota.ts';
import { addLinks, forgetLinksBefore, linksCountedFor, ownersOf } from './newAccountLinkStore.ts';

/** The periods for which the links of a new account are limited, each with its setting; the hour, then the day. */
const LIMITS = [
  { windowSeconds: 3600, per: 'an hour', setting: 'newAccountLinksPerHour' },
  { windowSeconds: 86_400, per: 'a day', setting: 'newAccountLinksPerDay' },
] as const;

const LONGEST_MINUTES = Math.max(...LIMITS.map(({ windowSeconds }) => windowSeconds)) / 60;
const MINUTE_MS = 60_000;

/** Facts of teams that never change, so that a team without limits is looked up once. */
const knownTeams = ofStore(() => new LRUCache<string, { createdAtMs: number; hasNoLimits: boolean }>({ max: 50_000 }));

/**
 * Claims `wanted` new links for the team and returns how many are granted. New teams with an owner in common share the
 * limits, because a person creates ten teams in a minute. They are locked until the transaction ends, so that concurrent
 * calls cannot exceed the limit. `refusal` (`account_limit_reached`, with the limit and when it eases) is set when fewer are
 * granted. A granted link stays counted unless `returnAccountQuota` returns it; deleting links returns nothing. A
 * transaction that claims for several teams calls `lockAccountQuotas` for all of them first.
 */
export async function claimAccountQuota(
  teamId: string,
  wanted: number,
  transaction: Transaction,
): Promise<{ granted: number; refusal: CodedError | null }> {
  if (wanted <= 0 || !(await isNewTeam(teamId, transaction))) return { granted: Math.max(wanted, 0), refusal: null };
  await lockAccountQuotas([teamId], transaction);
  const minute = Math.floor(clock.now() / MINUTE_MS);
  const made = await recentLinks(teamId, minute, transaction);
  const quota = decideQuota(limitsInForce(), made, wanted, minute);
  if (quota.granted > 0) await addLinks(teamId, minute, quota.granted, transaction);
  return { granted: quota.granted, refusal: refusalOf(quota) };
}

/**
 * Locks the limits of those among the teams that are new, until the transaction ends; asks the store nothing for others. By
 * name and in one call: two transactions that locked the rows of owners team by team would wait for each other.
 */
export async function lockAccountQuotas(teamIds: Iterable<string>, transaction: Transaction): Promise<void> {
  const fresh: string[] = [];
  for (const teamId of new Set(teamIds)) if (await isNewTeam(teamId, transaction)) fresh.push(teamId);
  if (fresh.length === 0) return;
  const owners = await ownersOf(fresh, transaction);
  await lockNames(
    [...fresh, ...owners].map((id) => `links of the new account ${id}`),
    transaction,
  );
}

/**
 * The error (`account_limit_reached`) for a team that may create no link now; null for one that may. Asked before the
 * transaction that counts, because links of such a team need not be scanned.
 */
export async function exhaustedQuota(teamId: string): Promise<CodedError | null> {
  if (!(await isNewTeam(teamId))) return null;
  const minute = Math.floor(clock.now() / MINUTE_MS);
  const made = await linksCountedFor([teamId], youngSinceMs());
  return refusalOf(decideQuota(limitsInForce(), made.get(teamId) ?? [], 1, minute));
}

/** Returns links that were granted in this transaction and not made. */
export async function returnAccountQuota(teamId: string, unused: number, transaction: Transaction): Promise<void> {
  if (unused <= 0 || !(await isNewTeam(teamId, transaction))) return;
  await addLinks(teamId, Math.floor(clock.now() / MINUTE_MS), -unused, transaction);
}

/**
 * How much of a limit a new team has used, together with other new teams of its owners. `easesAt`: null while it may create
 * links.
 */
export interface AccountQuotaUse {
  used: number;
  limit: number;
  easesAt: Date | null;
}

export interface AccountLimitsUse {
  linksThisHour: AccountQuotaUse;
  linksToday: AccountQuotaUse;
}

/** What new teams have used of the limits, by their ids; other teams have none and are missing. */
export async function limitsOfTeams(
  teams: readonly Pick<Team, 'id' | 'createdAt' | 'hasNoLimits'>[],
): Promise<Map<string, AccountLimitsUse>> {
  const fresh = teams.filter(({ createdAt, hasNoLimits }) => isNew({ createdAtMs: createdAt.getTime(), hasNoLimits }));
  if (fresh.length === 0) return new Map();
  const minute = Math.floor(clock.now() / MINUTE_MS);
  const made = await linksCountedFor(
    fresh.map(({ id }) => id),
    youngSinceMs(),
  );
  return new Map(fresh.map(({ id }) => [id, usesOf(made.get(id) ?? [], minute)]));
}

function usesOf(made: readonly MinuteCount[], minute: number): AccountLimitsUse {
  const [linksThisHour, linksToday] = limitsInForce().map((limit): AccountQuotaUse => {
    const { used, easesAtMinute } = quotaUse(limit, made, minute);
    return { used, limit: limit.max, easesAt: easesAtMinute === null ? null : new Date(easesAtMinute * MINUTE_MS) };
  });
  return { linksThisHour, linksToday } as AccountLimitsUse;
}

async function isNewTeam(teamId: string, transaction?: Transaction): Promise<boolean> {
  return isNew(knownTeams().get(teamId) ?? (await loadTeam(teamId, transaction)));
}

function isNew({ createdAtMs, hasNoLimits }: { createdAtMs: number; hasNoLimits: boolean }): boolean {
  return !hasNoLimits && createdAtMs > youngSinceMs();
}

/** Teams that were created later are new. */
function youngSinceMs(): number {
  return clock.now() - config.newAccountDays * DAY_MS;
}

async function loadTeam(teamId: string, transaction?: Transaction) {
  const sql = 'SELECT created_at AS "createdAt", has_no_limits AS "hasNoLimits" FROM teams WHERE id = :teamId';
  const rows = await query<{ createdAt: Date | string; hasNoLimits: unknown }>(sql, { teamId }, transaction);
  const [team] = rows;
  if (!team) return { createdAtMs: 0, hasNoLimits: true };
  const known = { createdAtMs: new Date(team.createdAt).getTime(), hasNoLimits: Boolean(team.hasNoLimits) };
  knownTeams().set(teamId, known);
  return known;
}

/** The counts that a limit may still include, oldest first; older ones are deleted. */
async function recentLinks(teamId: string, minute: number, transaction: Transaction): Promise<MinuteCount[]> {
  const rows = (await linksCountedFor([teamId], youngSinceMs(), transaction)).get(teamId) ?? [];
  const oldest = minute - LONGEST_MINUTES;
  const over = new Set(rows.filter((row) => row.minute < oldest).map(({ madeBy }) => madeBy));
  if (over.size > 0) await forgetLinksBefore([...over], oldest, transaction);
  return rows.filter((row) => row.minute >= oldest);
}

function limitsInForce() {
  return LIMITS.map(({ windowSeconds, per, setting }) => ({
    windowMinutes: windowSeconds / 60,
    max: config[setting],
    per,
  }));
}

function refusalOf({ reached }: QuotaDecision<ReturnType<typeof limitsInForce>[number]>): CodedError | null {
  if (!reached) return null;
  const { limit, easesAtMinute } = reached;
  const eases = new Date(easesAtMinute * MINUTE_MS).toISOString();
  return new CodedError(
    'account_limit_reached',
    `A new account can create at most ${limit.max} links in ${limit.per}; the next one from ${eases} on.`,
  );
}
