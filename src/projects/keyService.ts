import { authorizeProject, lockMembers, requireSession } from '../access/authorize.ts';
import { findOwned, teamOf } from '../access/findOwned.ts';
import { operatorProjectId } from '../access/operatorTeams.ts';
import type { Principal } from '../access/principal.ts';
import { expandScopes, ROLE_SCOPES, type Scope } from '../access/scopes.ts';
import { type WriteBudget, writeBudgetOf } from '../access/writeBudget.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { ADMIN_CALL } from '../kernel/version.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { Membership } from '../models/Membership.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';

/** A key to be created. */
interface NewKey {
  projectId: string;
  name: string;
  kind?: 'secret' | 'publishable';
  /** `*` and `*:read` stand for the scopes that they cover; a publishable key has none. */
  scopes?: readonly string[];
  expiresAt?: Date | null;
  /** The id of the user or key that creates it; null for the operator. */
  createdBy: string | null;
  /** When the key that creates it ends, if it is about to: the new key ends with it. */
  revokeAt?: Date | null;
}

/** A new key with its plain text, which is shown only when the key is created. */
export type ShownKey = ApiKey & { key: string };

/** Default time, in seconds, that a rolled key keeps working: a day to replace it everywhere. */
const DEFAULT_ROLL_SECONDS = 86_400;

type KeyInput = Omit<NewKey, 'createdBy' | 'revokeAt'>;

/** Creates a key; a secret key without `scopes` gets all of them. Throws `validation_failed`, `insufficient_scope`. */
export async function createKey(principal: Principal, input: KeyInput): Promise<ShownKey> {
  checkNewKey(input);
  const project = await authorizeProject(principal, 'keys:write', input.projectId);
  const scopes = input.kind === 'publishable' ? [] : expandScopes(input.scopes ?? ['*']);
  refuseBroaderScopes(principal, scopes);
  return inTransaction(async (transaction) => {
    const maker = await resolveKeyMaker(principal, project.teamId, transaction);
    const key = await insertKey({ ...input, projectId: project.id, scopes, ...maker }, transaction);
    const details = { kind: key.kind, scopes: key.scopes, expires_at: key.expiresAt };
    await recordAudit(transaction, principal, { ...auditSubjectOfKey(key, project), action: 'key.created', details });
    return key;
  });
}

/** What a key may know of itself, whatever its scopes. */
export interface CurrentKey {
  id: string;
  name: string;
  scopes: Scope[];
  project: { id: string; name: string; defaultDomain: string };
  team: Pick<Team, 'id' | 'name' | 'status' | 'readOnlyReason'>;
  expiresAt: Date | null;
  writeBudget: WriteBudget;
}

/** The key of a request, with its project and team. Throws `missing_key` for people. */
export async function findCurrentKey(principal: Principal): Promise<CurrentKey> {
  if (principal.kind !== 'key') throw new CodedError('missing_key', 'Ask with an API key: this tells about the key.');
  const [key, project, team, writeBudget] = await Promise.all([
    ApiKey.findByPk(principal.keyId),
    Project.findByPk(principal.projectId),
    Team.findByPk(principal.teamId),
    writeBudgetOf(principal.keyId),
  ]);
  if (!key || !project || !team) throw notFound('key');
  const { id, name, scopes, endsAt } = key;
  const shown = { id: project.id, name: project.name, defaultDomain: project.defaultDomain ?? config.linkDomain };
  return { id, name, scopes: expandScopes(scopes), project: shown, team, expiresAt: endsAt, writeBudget };
}

/** The keys of a project, newest first, revoked and expired ones included. */
export async function listKeys(principal: Principal, projectId: string, request: PageRequest): Promise<Page<ApiKey>> {
  const project = await authorizeProject(principal, 'keys:read', projectId);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(ApiKey, { projectId: project.id }, request, ['keys', project.id], order);
}

/**
 * Replaces a key by one with the same name, kind, scopes and expiry. The old key ends after `expirePreviousSeconds`, or at
 * its own expiry if that comes first. Throws `not_found`, `insufficient_scope`, and `conflict` for a key that has ended.
 */
export async function rollKey(
  principal: Principal,
  id: string,
  { expirePreviousSeconds = DEFAULT_ROLL_SECONDS }: { expirePreviousSeconds?: number },
): Promise<ShownKey> {
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  refuseBroaderScopes(principal, expandScopes(found.scopes));
  return inTransaction(async (transaction) => {
    const team = await teamOf(found.projectId, transaction);
    const maker = await resolveKeyMaker(principal, team.teamId, transaction);
    const previous = await ApiKey.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    refuseEnded(previous);
    const { projectId, name, kind, scopes, expiresAt } = previous;
    const next = await insertKey({ projectId, name, kind, scopes, expiresAt, ...maker }, transaction);
    const end = inSeconds(expirePreviousSeconds);
    if (!expiresAt || end < expiresAt) await previous.update({ expiresAt: end }, { transaction });
    const about = auditSubjectOfKey(previous, team);
    const details = { replaced_by: next.id, previous_expires_at: previous.expiresAt };
    await recordAudit(transaction, principal, { ...about, action: 'key.rolled', details });
    await announce(transaction, 'key', previous.hash);
    return next;
  });
}

/**
 * Keeps a key that is about to end because its creator has left the team; it belongs to the signed-in person from now on.
 * Only a person may do this, since a key would keep itself. Throws `not_found`, `insufficient_scope`, and `conflict` for a
 * key that is not about to end or has ended.
 */
export async function keepKey(principal: Principal, id: string): Promise<ApiKey> {
  requireSession(principal);
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  return inTransaction(async (transaction) => {
    const team = await teamOf(found.projectId, transaction);
    const { createdBy } = await resolveKeyMaker(principal, team.teamId, transaction);
    const key = await ApiKey.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    if (key.endsAt && key.endsAt.getTime() <= clock.now()) {
      throw new CodedError('conflict', 'The key has ended; create a new one.');
    }
    if (!key.revokeAt) throw new CodedError('conflict', 'This key is not about to end.');
    await key.update({ revokeAt: null, createdBy }, { transaction });
    await recordAudit(transaction, principal, { ...auditSubjectOfKey(key, team), action: 'key.kept' });
    await announce(transaction, 'key', key.hash);
    return key;
  });
}

/** Ends a key at once, in every process; it stays in the list. Throws `not_found`, also for a key that was revoked before. */
export async function revokeKey(principal: Principal, id: string): Promise<void> {
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  await inTransaction(async (transaction) => {
    const where = { id, revokedAt: null };
    const [revoked] = await ApiKey.update({ revokedAt: now() }, { where, transaction });
    if (revoked === 0) throw notFound('key');
    const about = auditSubjectOfKey(found, await teamOf(found.projectId, transaction));
    await recordAudit(transaction, principal, { ...about, action: 'key.revoked' });
    await announce(transaction, 'key', found.hash);
  });
}

/** Inserts a new key; the caller has checked that it may be created. */
export async function insertKey(
  { kind = 'secret', scopes = [], expiresAt = null, ...input }: NewKey,
  transaction: Transaction,
): Promise<ShownKey> {
  const key = `${kind === 'secret' ? 'sk' : 'pk'}_live_${randomToken(24)}`;
  const row = await ApiKey.create(
    {
      ...input,
      id: newId('key'),
      kind,
      scopes: kind === 'secret' ? expandScopes(scopes) : [],
      hash: sha256(key),
      publishableKey: kind === 'publishable' ? key : null,
      lastFour: key.slice(-4),
      expiresAt,
    },
    { transaction },
  );
  return Object.assign(row, { key });
}

/**
 * Creates a secret key with every scope in that project, or in the operator's oldest project; for `npm run admin -- new-key`.
 * Existing keys go on working. Throws `not_found`, and says what to do when the operator has no project.
 */
export async function createOperatorKey(projectId?: string): Promise<{ key: ShownKey; project: Project }> {
  const id = projectId ?? (await operatorProjectId());
  if (id === null) {
    throw new Error(`All projects of your teams are deleted. Name the project: ${ADMIN_CALL} new-key PROJECT_ID.`);
  }
  const project = await Project.findByPk(id);
  if (!project) throw notFound('project');
  return inTransaction(async (transaction) => {
    const input = { projectId: project.id, name: 'Key of the operator', scopes: ['*'], createdBy: null };
    const key = await insertKey(input, transaction);
    const details = { kind: key.kind, scopes: key.scopes, expires_at: null };
    await recordAudit(transaction, 'operator', { ...auditSubjectOfKey(key, project), action: 'key.created', details });
    return { key, project };
  });
}

/** What an audit entry says of a key, whose row holds no team. */
export function auditSubjectOfKey({ id, name, projectId }: ApiKey, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: name };
}

/** Throws `validation_failed` for a key that would have expired already. */
function checkNewKey({ expiresAt }: Pick<KeyInput, 'expiresAt'>): void {
  if (!expiresAt || expiresAt.getTime() > clock.now()) return;
  throw validationFailed([{ path: 'expires_at', message: 'Must be in the future.' }]);
}

function refuseEnded({ revokedAt, endsAt }: ApiKey): void {
  const how = revokedAt ? 'was revoked' : endsAt && endsAt.getTime() <= clock.now() ? 'has ended' : null;
  if (how) throw new CodedError('conflict', `The key ${how}; create a new one.`);
}

/** Throws `insufficient_scope` when a key would create another one with a scope that it lacks itself. */
function refuseBroaderScopes(principal: Principal, scopes: readonly Scope[]): void {
  if (principal.kind !== 'key') return;
  const lacking = scopes.find((scope) => !principal.scopes.has(scope));
  if (!lacking) return;
  throw new CodedError('insufficient_scope', `A key cannot create one with the scope ${lacking}, which it lacks.`);
}

/**
 * The creator of a new key, read in the transaction that inserts it: a member who was removed meanwhile creates none, and a
 * key that is created with a key about to end will end with it. Throws `not_found`, `insufficient_scope`, `invalid_key`.
 */
async function resolveKeyMaker(
  principal: Principal,
  teamId: string,
  transaction: Transaction,
): Promise<{ createdBy: string | null; revokeAt: Date | null }> {
  await lockMembers(teamId, transaction);
  if (principal.kind === 'session') {
    const { userId } = principal;
    const membership = await Membership.findOne({ where: { teamId, userId }, transaction });
    if (!membership) throw notFound('project');
    if (ROLE_SCOPES[membership.role].includes('keys:write')) return { createdBy: userId, revokeAt: null };
    const message = `This needs keys:write, which the role ${membership.role} does not have.`;
    throw new CodedError('insufficient_scope', message);
  }
  if (principal.kind !== 'key') return { createdBy: null, revokeAt: null };
  const maker = await ApiKey.findOne({ where: { id: principal.keyId, revokedAt: null }, transaction });
  if (!maker) throw new CodedError('invalid_key', 'The key is unknown, revoked or expired.');
  return { createdBy: maker.id, revokeAt: maker.revokeAt };
}
