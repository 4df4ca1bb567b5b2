import type { Alert } from '../models/Alert.ts';
import type { Role } from '../models/Membership.ts';

/** The facts that each kind of mail is written from. */
export interface MailFacts {
  alert: { alert: AlertOfMail; teamName: string; projectName: string | null };
  alert_digest: { parts: DigestPart[] };
  invitation: { teamName: string; inviterEmail: string; role: Role; url: string; expiresAt: Date };
  password_reset: { url: string; expiresAt: Date };
  confirm_email: { url: string; expiresAt: Date; at: Date; browser: string | null };
  account_exists: object;
  confirm_email_change: { from: string; url: string; expiresAt: Date; at: Date };
  email_in_use: object;
  email_changed: { from: string; to: string; at: Date; url: string; undoUntil: Date };
  /** `deletionAt`: of the account, if it is deleted. */
  email_change_undone: { from: string; to: string; deletionAt: Date | null };
  /** `factorUndoneUntil`: until when a mailed link removes a second factor; null without one. */
  account_deleted: { deletionAt: Date; isRestorable: boolean; factorUndoneUntil: Date | null };
  /** To an address that the account had before: until when its link gives the account back to it. */
  former_account_deleted: { deletionAt: Date; undoUntil: Date };
  account_restored: object;
  password_changed: object;
  second_factor_on: { url: string; undoUntil: Date };
  /** `deletionAt`: of the account, if it is deleted. */
  second_factor_undone: { deletionAt: Date | null };
  second_factor_off: object;
  new_recovery_codes: object;
  recovery_code_used: object;
  new_browser: { browser: string | null; at: Date };
  project_deleted: { projectName: string; teamName: string; teamId: string; byEmail: string; deletionAt: Date };
  team_deleted: { teamName: string; byEmail: string; deletionAt: Date };
}

export type MailKind = keyof MailFacts;

type AlertOfMail = Pick<Alert, 'id' | 'teamId' | 'kind' | 'severity' | 'title' | 'message' | 'createdAt'>;

/** How many alerts of one kind and team a digest stands for. */
export interface DigestPart {
  teamId: string;
  teamName: string;
  kind: Alert['kind'];
  count: number;
}
