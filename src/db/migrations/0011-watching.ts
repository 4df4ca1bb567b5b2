import type { ModelAttributes, QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const part = { primaryKey: true };
const projectPart = { ...c.text(), ...part };

const TABLES: Record<string, ModelAttributes> = {
  // Whose a link domain was that is nobody's now: only its DNS says whose it is next.
  released_domains: { hostname: { ...c.text(), ...part }, team_id: { ...c.text(), ...part }, released_at: c.time() },
  // The checks of a project as they are reported; `failures` in a row of the runs themselves; `since` null: only these yet.
  health_checks: {
    project_id: projectPart,
    name: { ...c.text(), ...part },
    status: c.text(),
    message: c.text(),
    since: c.optionalTime(),
    failures: c.integer(0),
    // Failed at some time since the project does.
    involved: c.flag(false),
  },
  // What a check said, from when to when.
  health_history: {
    id: c.id(),
    project_id: c.text(),
    name: c.text(),
    status: c.text(),
    message: c.text(),
    since: c.time(),
    until: c.optionalTime(),
  },
  // When the health of a project is checked next, and who does it until when.
  health_turns: { project_id: projectPart, due_at: c.time(), lease_until: c.optionalTime(), ran_at: c.optionalTime() },
  // Up to which hour the traffic of a project was looked at, and who looks until when.
  traffic_watches: {
    project_id: projectPart,
    watched_until: c.time(),
    lease_until: c.optionalTime(),
    // No hour of the last weeks had enough to judge: such an hour alone makes it worth a look.
    is_thin: c.flag(false),
  },
  // Clicks by the hour of a UTC day since the epoch, as JSON; counted anew when the stamp is another.
  traffic_days: { project_id: projectPart, day: { ...c.integer(), ...part }, stamp: c.text(), content: c.text() },
  // Stretches of hours (since the epoch) in which the traffic of a project or link was not as usual.
  traffic_incidents: {
    project_id: projectPart,
    subject_id: { ...c.text(), ...part },
    direction: { ...c.text(), ...part },
    from_hour: { ...c.integer(), ...part },
    until_hour: c.optionalInteger(),
    is_usual: c.flag(false),
    // There is an alert of it; not where that of the project, or of the link that explains it, tells enough.
    is_told: c.flag(false),
  },
  // Processes that count clicks: all of theirs before that moment are in the store.
  click_drains: { name: { ...c.text(), ...part }, drained_until: c.time() },
  mails: {
    id: c.id(),
    kind: c.text(),
    // Names the incident and whom it is for: there is one mail of it.
    reference: c.text(),
    address: c.text(),
    // Of alerts alone: whom it is for.
    user_id: c.optionalText(),
    // Sealed: subject, text and html may hold a token.
    content: c.optionalText(),
    status: { ...c.text(), defaultValue: 'waiting' },
    attempts: c.integer(0),
    next_attempt_at: c.optionalTime(),
    lease_until: c.optionalTime(),
    error: c.optionalText(),
    sent_at: c.optionalTime(),
    ...c.timestamps(),
  },
  invitations: {
    id: c.id(),
    team_id: c.text(),
    email: c.text(),
    role: c.text(),
    token_hash: c.text(),
    invited_by: c.optionalText(),
    expires_at: c.time(),
    accepted_at: c.optionalTime(),
    revoked_at: c.optionalTime(),
    ...c.timestamps(),
  },
  password_resets: { token_hash: c.id(), user_id: c.text(), expires_at: c.time(), created_at: c.time() },
  recovery_codes: { user_id: { ...c.text(), ...part }, code_hash: { ...c.text(), ...part } },
  audit_entries: {
    id: c.id(),
    team_id: c.text(),
    project_id: c.optionalText(),
    // user, key or operator.
    actor_kind: c.text(),
    actor_id: c.optionalText(),
    action: c.text(),
    subject_id: c.optionalText(),
    subject_name: c.optionalText(),
    details: c.json(),
    created_at: c.time(),
  },
};

const COLUMNS: [table: string, name: string, column: ModelAttributes[string]][] = [
  ['domains', 'verification_token', { ...c.text(), defaultValue: '' }],
  // How it was shown to be theirs: txt, dns or file.
  ['domains', 'verified_by', c.optionalText()],
  // What the last look found, for people to read.
  ['domains', 'problem', c.optionalText()],
  ['domains', 'failures', c.integer(0)],
  ['domains', 'next_check_at', c.optionalTime()],
  ['users', 'totp_secret', c.optionalText()],
  ['users', 'totp_enabled_at', c.optionalTime()],
  // A code is good once: the time step of the last one.
  ['users', 'totp_step', c.bigInteger(0)],
  ['sessions', 'user_agent', c.optionalText()],
  ['sessions', 'last_used_at', c.optionalTime()],
  // Kinds of alerts that are mailed to the member; null: by role.
  ['memberships', 'mail_kinds', c.optionalJson()],
];

const INDEXES = [
  'CREATE UNIQUE INDEX domains_project_id_hostname ON domains (project_id, hostname)',
  "CREATE UNIQUE INDEX domains_verified_links ON domains (hostname) WHERE kind = 'link' AND verified_at IS NOT NULL",
  'CREATE INDEX domains_next_check_at ON domains (next_check_at)',
  'CREATE INDEX health_history_project_id_since_id ON health_history (project_id, since, id)',
  'CREATE INDEX health_history_until ON health_history (until)',
  'CREATE INDEX health_turns_due_at ON health_turns (due_at)',
  'CREATE INDEX traffic_watches_watched_until ON traffic_watches (watched_until)',
  'CREATE UNIQUE INDEX mails_reference ON mails (reference)',
  "CREATE INDEX mails_waiting ON mails (next_attempt_at, id) WHERE status = 'waiting' AND user_id IS NULL",
  "CREATE INDEX mails_waiting_alerts ON mails (next_attempt_at, id) WHERE status = 'waiting' AND user_id IS NOT NULL",
  "CREATE INDEX mails_held ON mails (next_attempt_at) WHERE status = 'held'",
  'CREATE INDEX mails_user_id_lease_until ON mails (user_id, lease_until) WHERE user_id IS NOT NULL',
  'CREATE INDEX mails_created_at ON mails (created_at)',
  'CREATE UNIQUE INDEX invitations_token_hash ON invitations (token_hash)',
  'CREATE INDEX invitations_team_id_created_at_id ON invitations (team_id, created_at, id)',
  'CREATE INDEX invitations_invited_by_created_at ON invitations (invited_by, created_at)',
  'CREATE INDEX invitations_expires_at ON invitations (expires_at)',
  'CREATE INDEX password_resets_user_id ON password_resets (user_id)',
  'CREATE INDEX password_resets_expires_at ON password_resets (expires_at)',
  'CREATE INDEX sessions_expires_at ON sessions (expires_at)',
  'CREATE INDEX alerts_open_of_project ON alerts (project_id, severity) WHERE resolved_at IS NULL AND acknowledged_at IS NULL',
  'CREATE INDEX alerts_open_of_team ON alerts (team_id, severity) WHERE resolved_at IS NULL AND acknowledged_at IS NULL',
  'CREATE INDEX alerts_resolved_at ON alerts (resolved_at) WHERE resolved_at IS NOT NULL',
  'CREATE INDEX audit_entries_team_id_created_at_id ON audit_entries (team_id, created_at, id)',
  // Each filter of the list: what is rare among a million entries is found without reading those.
  'CREATE INDEX audit_entries_of_projects ON audit_entries (team_id, project_id, created_at, id)',
  'CREATE INDEX audit_entries_of_actors ON audit_entries (team_id, actor_id, created_at, id)',
  'CREATE INDEX audit_entries_by_action ON audit_entries (team_id, action, created_at, id)',
  'CREATE INDEX audit_entries_of_subjects ON audit_entries (team_id, subject_id, created_at, id)',
];

/** Domains, health, traffic watch, mail, accounts and who changed what. */
export async function watching(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  for (const [table, name, column] of COLUMNS) await tables.addColumn(table, name, column, { transaction });
  for (const sql of INDEXES) await database().query(sql, { transaction });
}
