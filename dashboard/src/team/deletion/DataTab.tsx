import { Button, Stack, Tooltip } from '@mantine/core';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { IconDownload } from '../../ui/icons.ts';
import { Card } from '../../ui/Page.tsx';
import { DeletedProjects } from './DeletedProjects.tsx';
import { DeleteTeamCard } from './DeleteTeamCard.tsx';
import { mayRestore } from './operations.ts';

/** Everything the team has as a file, what can be brought back, and the end of the team. */
export function DataTab({ team }: { team: Team }) {
  return (
    <>
      <ArchiveCard team={team} />
      {mayRestore(team) ? <DeletedProjects team={team} /> : null}
      <DeleteTeamCard team={team} />
    </>
  );
}

function ArchiveCard({ team }: { team: Team }) {
  const { archive } = t.team;
  const look = { variant: 'default', leftSection: <IconDownload size={16} /> } as const;
  return (
    <Card title={archive.title}>
      <Stack align="flex-start" gap={8}>
        <div>{archive.about}</div>
        <div>{archive.without}</div>
        <div>{archive.wait}</div>
        {team.role === 'owner' ? (
          <Button component="a" href={`/graphql/teams/${team.id}/archive.zip`} download {...look}>
            {archive.action}
          </Button>
        ) : (
          <Tooltip label={archive.onlyOwner}>
            <Button {...look} data-disabled aria-disabled>
              {archive.action}
            </Button>
          </Tooltip>
        )}
      </Stack>
    </Card>
  );
}
