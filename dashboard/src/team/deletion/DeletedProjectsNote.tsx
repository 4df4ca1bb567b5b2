import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatExact } from '../../kernel/numbers.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { IconTrash } from '../../ui/icons.ts';
import { useDeletedProjects } from './operations.ts';

/** Says on the other parts of the page that projects can be restored: mails about them lead to the first one. */
export function DeletedProjectsNote({ team }: { team: Team }) {
  const { rows } = useDeletedProjects(team);
  if (rows.length === 0) return null;
  return (
    <Alert color="blue" variant="light" icon={<IconTrash size={18} />}>
      {t.team.restore.banner(formatExact(rows.length), rows.length)}{' '}
      <Link to="/team" search={{ team: team.id, tab: 'data' }}>
        {t.team.restore.show}
      </Link>
    </Alert>
  );
}
