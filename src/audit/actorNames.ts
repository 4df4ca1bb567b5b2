import { inList, inListValue, withIndex } from '../db/dialects.ts';
import { buildQuery } from '../db/query.ts';
import { readRowsByIds } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { User } from '../models/User.ts';
import type { AuditAction } from './actions.ts';

const REMOVED: AuditAction = 'member.removed';

/**
 * What the members of these teams call the authors of changes, by id: the name of a key, and the e-mail of a user. Who left all
 * of the teams is called by the e-mail with which they left the last of them, since the one that they use now is not the
 * teams' business. Deleted ones are missing, and so is who left so long ago that the audit log no longer tells.
 */
export async function actorNames(
  teamIds: readonly string[],
  ids: readonly string[],
  transaction?: Transaction,
): Promise<Map<string, string>> {
  const idsOf = (prefix: string) => [...new Set(ids.filter((id) => id.startsWith(prefix)))];
  const [users, members, keys] = await Promise.all([
    readRowsByIds(User, idsOf('usr_'), transaction),
    membersAmong(idsOf('usr_'), teamIds, transaction),
    readRowsByIds(ApiKey, idsOf('key_'), transaction),
  ]);
  const former = users.map(({ id }) => id).filter((id) => !members.has(id));
  return new Map([
    ...(await formerNames(former, teamIds, transaction)),
    ...users.flatMap(({ id, email }): [string, string][] => (members.has(id) ? [[id, email]] : [])),
    ...keys.map(({ id, name }): [string, string] => [id, name]),
  ]);
}

/** Those of the users who are members of one of the teams. */
async function membersAmong(
  userIds: readonly string[],
  teamIds: readonly string[],
  transaction: Transaction | undefined,
): Promise<Set<string>> {
  if (userIds.length === 0 || teamIds.length === 0) return new Set();
  const rows = await buildQuery<{ id: string }>((bind) => {
    const ofTeams = inList('team_id', bind(inListValue(teamIds)));
    return `SELECT user_id AS id FROM memberships WHERE ${ofTeams} AND ${inList('user_id', bind(inListValue(userIds)))}`;
  }, transaction);
  return new Set(rows.map(({ id }) => id));
}

/** The e-mails with which users left the teams, the last time each. */
async function formerNames(
  userIds: readonly string[],
  teamIds: readonly string[],
  transaction: Transaction | undefined,
): Promise<Map<string, string>> {
  if (userIds.length === 0 || teamIds.length === 0) return new Map();
  const rows = await buildQuery<{ id: string; name: string }>((bind) => {
    const ofTeams = inList('team_id', bind(inListValue(teamIds)));
    const about = inList('subject_id', bind(inListValue(userIds)));
    return `SELECT subject_id AS id, subject_name AS name FROM ${withIndex('audit_entries', 'audit_entries_of_subjects')}
      WHERE ${ofTeams} AND ${about} AND action = ${bind(REMOVED)} ORDER BY created_at, id`;
  }, transaction);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
