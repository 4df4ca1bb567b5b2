import { OPERATOR, setTeamReadOnly } from '../../../src/accounts/teamService.ts';
import { findPage, type Page } from '../../../src/db/paging.ts';
import { Team } from '../../../src/models/Team.ts';
import { type AdminCommand, type AdminContext, reasonOf, WrongArguments } from './AdminCommand.ts';

export const TEAM_COMMANDS: AdminCommand[] = [
  {
    name: 'list-teams',
    usage: '',
    about: 'prints the id, name and status of every team',
    async run(args, context) {
      if (args.length > 0) throw new WrongArguments();
      await printTeams(context);
      return '';
    },
  },
  {
    name: 'read-only',
    usage: 'TEAM_ID REASON…',
    about: 'makes a team read-only; every refusal shows the reason, and links keep working',
    async run([teamId, ...words]) {
      if (!teamId) throw new WrongArguments();
      return lineOf(await setTeamReadOnly(OPERATOR, teamId, reasonOf(words)));
    },
  },
  {
    name: 'writable',
    usage: 'TEAM_ID',
    about: 'makes a read-only team writable again',
    async run([teamId, ...more]) {
      if (!teamId || more.length > 0) throw new WrongArguments();
      return lineOf(await setTeamReadOnly(OPERATOR, teamId, null));
    },
  },
];

/** Oldest first, a page at a time. */
async function printTeams({ print }: AdminContext): Promise<void> {
  const order = { attribute: 'createdAt', direction: 'ASC' } as const;
  let cursor: string | null = null;
  do {
    const page: Page<Team> = await findPage(Team.unscoped(), {}, { limit: 100, cursor }, ['all-teams'], order);
    if (page.data.length > 0) await print(page.data.map(lineOf).join('\n'));
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function lineOf({ id, name, status, readOnlyReason, deletionAt }: Team): string {
  const deleted = deletionAt ? [`deleted, for good at ${deletionAt.toISOString()}`] : [];
  return [id, name, readOnlyReason ? `${status} (${readOnlyReason})` : status, ...deleted].join('  ');
}
