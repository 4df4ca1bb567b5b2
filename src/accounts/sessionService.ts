import { requirePendingSession, requireSession } from '../access/authorize.ts';
import type { Principal, SessionPrincipal } from '../access/principal.ts';
import { type KeysetPosition, type Order, type Page, type PageRequest, readPage } from '../db/paging.ts';
import { queryPrepared, queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { notFound } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import type { Role } from '../models/Membership.ts';
import { Session } from '../models/Session.ts';
import { describeAgent } from './browsers.ts';

/** A browser that signs in or up, as far as its request shows. */
export interface Client {
  /** For throttling only; it is stored nowhere. */
  address: string;
  /** Whether the connection came from this machine, by a proxy or not. */
  isFromThisMachine: boolean;
  /** Its User-Agent header. */
  userAgent: string | undefined;
  /** Its cookie of accounts that it signed in to before; see `rememberBrowser`. */
  knownBrowsers: string | undefined;
}

/** The cookies of a new session: its token, and the accounts that the browser is known to. */
export interface NewSession {
  token: string;
  knownBrowsers: string;
}

/** A session as its person sees it. */
export interface ShownSession {
  id: string;
  userAgent: string | null;
  isCurrent: boolean;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

type SessionPosition = Pick<ShownSession, 'id' | 'createdAt'>;

/** More than a person has browsers. When there are more, the oldest ends, so that the list of sessions stays short. */
const MAX_SESSIONS_PER_USER = 100;
/** How old the shown last use of a session may be, and how often it is written at most. */
const WRITE_EVERY_MS = 60_000;

const NEWEST_FIRST: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'DESC' };

/** Token hashes of the sessions whose last use this process is writing. */
const writing = new Set<string>();

/** The sessions of the signed-in person that have not ended, newest first; a hundred at most. */
export async function listSessions(principal: Principal, request: PageRequest): Promise<Page<ShownSession>> {
  const { userId, tokenHash } = requireSession(principal);
  return readPage(NEWEST_FIRST, request, ['sessions', userId], async (after, count) => {
    const sessions = await Session.findAll({ where: { userId, expiresAt: { [Op.gt]: now() } } });
    const shown = sessions.map((session) => shownSession(session, tokenHash)).sort(newestFirst);
    return shown.filter((session) => after === null || newestFirst(session, positionOf(after)) > 0).slice(0, count);
  });
}

/** Ends one session of the signed-in person. `wasCurrent`: it was the session of the request. Throws `not_found`. */
export async function endSession(principal: Principal, id: string): Promise<{ wasCurrent: boolean }> {
  const { userId, tokenHash } = requireSession(principal);
  const session = (await Session.findAll({ where: { userId } })).find((one) => sessionId(one.tokenHash) === id);
  if (!session) throw notFound('session');
  await deleteSession(session.tokenHash);
  return { wasCurrent: session.tokenHash === tokenHash };
}

/** Ends the session of the request, also where it may do nothing else. Throws `not_signed_in`. */
export async function signOut(principal: Principal): Promise<void> {
  await deleteSession(requirePendingSession(principal).tokenHash);
}

/** Ends every other session of the signed-in person, and with `isThisToo` the session of the request. */
export async function signOutEverywhere(principal: Principal, isThisToo: boolean): Promise<void> {
  const { userId, tokenHash } = requireSession(principal);
  await inTransaction((transaction) => endAllSessions(userId, transaction, isThisToo ? '' : tokenHash));
}

/** The principal of a session token; null when it is unknown or has ended. */
export function sessionPrincipal(token: string): Promise<SessionPrincipal | null> {
  return principalOfHash(sha256(token));
}

/** The principal of a session as it is now; null when the session has ended. */
export function renewedPrincipal({ tokenHash }: SessionPrincipal): Promise<SessionPrincipal | null> {
  return principalOfHash(tokenHash);
}

async function principalOfHash(tokenHash: string): Promise<SessionPrincipal | null> {
  const session = await Session.findOne({ where: { tokenHash, expiresAt: { [Op.gt]: now() } } });
  if (!session) return null;
  recordSessionUse(session);
  // The limits of the person come with their roles, because a deleted account may still be a member of a team.
  const rows = await queryPrepared<StoredRole>(
    `SELECT teams.id AS "teamId", role, teams.deletion_at IS NULL AS "isLive",
       users.pending_email IS NOT NULL AS "isPending", users.deletion_at IS NOT NULL AS "isDeleted"
     FROM users LEFT JOIN memberships ON user_id = users.id LEFT JOIN teams ON teams.id = team_id WHERE users.id = $1`,
    [session.userId],
  );
  const [user] = rows;
  if (!user) return null;
  const roles = rolesOf(rows.filter(({ isLive }) => isLive));
  const deletedRoles = rolesOf(rows.filter(({ isLive }) => !isLive));
  const limits = { isPending: Boolean(user.isPending), isDeleted: Boolean(user.isDeleted) };
  return { kind: 'session', userId: session.userId, tokenHash, roles, deletedRoles, ...limits };
}

/** A person with one of their teams; `teamId` and `role` are null without any. */
interface StoredRole {
  teamId: string | null;
  role: Role | null;
  /** The team is not deleted. */
  isLive: boolean | number;
  isPending: boolean | number;
  isDeleted: boolean | number;
}

function rolesOf(rows: StoredRole[]): Map<string, Role> {
  return new Map(rows.flatMap(({ teamId, role }) => (teamId && role ? [[teamId, role]] : [])));
}

/** Begins a session and returns its token, of which only the hash is stored. */
export async function beginSession(
  userId: string,
  userAgent: string | undefined,
  transaction: Transaction,
): Promise<string> {
  const token = randomToken(32);
  await Session.destroy({ where: { userId, expiresAt: { [Op.lt]: now() } }, transaction });
  await endOldest(userId, transaction);
  const times = { expiresAt: inSeconds(config.sessionSeconds), lastUsedAt: now(), createdAt: now() };
  const row = { tokenHash: sha256(token), userId, userAgent: describeAgent(userAgent), ...times };
  await Session.create(row, { transaction });
  return token;
}

/** Ends all sessions of a user, except the one whose token has `exceptHash`. */
export async function endAllSessions(userId: string, transaction: Transaction, exceptHash = ''): Promise<void> {
  await Session.destroy({ where: { userId, tokenHash: { [Op.ne]: exceptHash } }, transaction });
}

async function deleteSession(tokenHash: string): Promise<void> {
  await inTransaction((transaction) => Session.destroy({ where: { tokenHash }, transaction }));
}

async function endOldest(userId: string, transaction: Transaction): Promise<void> {
  await queryRaw(
    `DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE user_id = $1
       ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ${MAX_SESSIONS_PER_USER - 1})`,
    [userId],
    transaction,
  );
}

/** Records that a session was used, without delaying the request that uses it. */
function recordSessionUse({ tokenHash, lastUsedAt }: Session): void {
  // The difference either way: after the clock is set back, the last use must still be written.
  const isFresh = lastUsedAt !== null && Math.abs(now().getTime() - lastUsedAt.getTime()) < WRITE_EVERY_MS;
  if (isFresh || writing.has(tokenHash)) return;
  writing.add(tokenHash);
  void writeSessionUse(tokenHash).finally(() => writing.delete(tokenHash));
}

async function writeSessionUse(tokenHash: string): Promise<void> {
  try {
    await inTransaction((transaction) =>
      Session.update({ lastUsedAt: now() }, { where: { tokenHash }, silent: true, transaction }),
    );
  } catch (error) {
    log.warn({ err: error }, 'the last use of a session could not be written');
  }
}

function shownSession({ tokenHash, userAgent, createdAt, lastUsedAt, expiresAt }: Session, current: string) {
  const times = { createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt };
  const id = sessionId(tokenHash);
  return { id, value: createdAt, userAgent, isCurrent: tokenHash === current, ...times };
}

/** The id that people see. Neither the token nor its stored hash can be derived from it. */
function sessionId(tokenHash: string): string {
  return sha256(tokenHash).slice(0, 32);
}

function newestFirst(one: SessionPosition, other: SessionPosition): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

function positionOf({ id, value }: KeysetPosition): SessionPosition {
  return { id, createdAt: value as Date };
}
