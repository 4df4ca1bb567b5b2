import type { Alert } from './Alert.ts';
import type { Membership, Role } from './Membership.ts';

/** Every kind of alert with its meaning, as shown in mails and mail preferences. */
export const ALERT_KINDS: Record<Alert['kind'], string> = {
  health: 'A project is failing its health checks.',
  traffic_anomaly: 'A link or project has unusual traffic.',
  link_flagged: 'A link was flagged and has stopped working.',
  webhook_disabled: 'A webhook was disabled.',
  billing: 'A usage limit has almost been reached.',
  domain: 'A domain needs attention.',
  security: 'Someone may have access who should not.',
  lost_journal: 'A process of this service is gone, with clicks that are not counted yet.',
};

const ALL = Object.keys(ALERT_KINDS);

/** The kinds that are mailed to members who have not chosen any. */
const DEFAULT_KINDS: Record<Role, readonly string[]> = { owner: ALL, admin: ALL, member: [], viewer: [] };

/** Whether the member gets mails for alerts of this kind, by their own choice or else by the default of their role. */
export function wantsMail({ role, mailKinds }: Pick<Membership, 'role' | 'mailKinds'>, kind: Alert['kind']): boolean {
  return (mailKinds ?? DEFAULT_KINDS[role]).includes(kind);
}
