import { OPERATOR, setTeamReadOnly } from '../../src/accounts/teamService.ts';
import { Team } from '../../src/models/Team.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const TEAM_COMMANDS: AdminCommand[] = [
  {
    name: 'list-teams',
    usage: '',
    about: 'prints the id, name and status of every team',
    async run(args) {
      if (args.length > 0) throw new WrongArguments();
      return (await Team.unscoped().findAll({ order: [['createdAt', 'ASC']] })).map(lineOf).join('\n');
    },
  },
  {
    name: 'read-only',
    usage: 'TEAM_ID REASON…',
    about: 'makes a team read-only; every refusal shows the reason, and links keep working',
    async run([teamId, ...words]) {
      const reason = words.join(' ').trim();
      if (!teamId || !reason) throw new WrongArguments();
      return lineOf(await setTeamReadOnly(OPERATOR, teamId, reason));
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

function lineOf({ id, name, status, readOnlyReason, deletionAt }: Team): string {
  const deleted = deletionAt ? [`deleted, for good at ${deletionAt.toISOString()}`] : [];
  return [id, name, readOnlyReason ? `${status} (${readOnlyReason})` : status, ...deleted].join('  ');
}
