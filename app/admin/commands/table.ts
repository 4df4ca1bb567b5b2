import { ADMIN_CALL } from '../../../src/kernel/version.ts';
import { type AdminCommand, Cancelled, WrongArguments } from './AdminCommand.ts';
import { ACCOUNT_COMMANDS } from './accounts.ts';
import { BACKUP_COMMANDS } from './backups.ts';
import { JOB_COMMANDS } from './jobs.ts';
import { JOURNAL_COMMANDS } from './journals.ts';
import { LINK_COMMANDS } from './links.ts';
import { MIGRATION_COMMANDS } from './migrations.ts';
import { SECRET_COMMANDS } from './secrets.ts';
import { TEAM_COMMANDS } from './teams.ts';

/** All commands for operators. The caller and the running product read the same table. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...TEAM_COMMANDS,
  ...LINK_COMMANDS,
  ...SECRET_COMMANDS,
  ...JOB_COMMANDS,
  ...BACKUP_COMMANDS,
  ...JOURNAL_COMMANDS,
  ...MIGRATION_COMMANDS,
];

export function usageOf(commands: readonly AdminCommand[]): string {
  const lines = commands.map(
    ({ name, usage, about }) => `  ${ADMIN_CALL} ${`${name} ${usage}`.trim()}\n      ${about}`,
  );
  return `Usage:\n${lines.join('\n')}`;
}

/** The error to show for what a command threw. */
export function shownError(command: AdminCommand, error: unknown): unknown {
  if (error instanceof WrongArguments) return new Error(usageOf([command]));
  if (error instanceof Cancelled)
    return new Error(`${error.message} ${command.name} ended early. What it did stays; run it again to go on.`);
  return error;
}
