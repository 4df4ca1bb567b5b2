import type { Alert } from '../models/Alert.ts';
import type { Membership, Role } from '../models/Membership.ts';
import { ALERT_KINDS } from '../services/alerts/alertKinds.ts';

const ALL = Object.keys(ALERT_KINDS);

/** Kinds of alerts that are mailed to members who have chosen none. */
const BY_ROLE: Record<Role, readonly string[]> = { owner: ALL, admin: ALL, member: [], viewer: [] };

/** Whether alerts of that kind are mailed to a member: as they have chosen, else by their role. */
export function wantsMail({ role, mailKinds }: Pick<Membership, 'role' | 'mailKinds'>, kind: Alert['kind']): boolean {
  return (mailKinds ?? BY_ROLE[role]).includes(kind);
}
