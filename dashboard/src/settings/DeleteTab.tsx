import { Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { formatDays, formatExactTime } from '../kernel/times.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useCan } from '../session/permissions.ts';
import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Card } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { toast } from '../ui/toasts.ts';
import type { OneProject } from './operations.ts';

const CONTENTS = graphql(`
  query ProjectContents($id: ID!) {
    projectContents(id: $id) {
      links
      clicks
      domains
      webhooks
      keys
      installs
    }
  }
`);

const DELETE_PROJECT = graphql(`
  mutation DeleteProject($id: ID!, $password: String!, $code: String) {
    deleteProject(id: $id, password: $password, code: $code) {
      id
      name
      deletionAt
    }
  }
`);

/** The end of a project: what is lost, until when it can be undone, and the way to keep a copy. */
export function DeleteTab({ project }: { project: OneProject }) {
  const { remove } = t.settings;
  const { service, user } = useSession();
  const about = remove.about(formatDays(service.deletionDays));
  const navigate = useNavigate();
  const { isAllowed } = useCan('team:manage');
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data, error, refetch } = useAsk({
    about: 'projects',
    document: CONTENTS,
    variables: { id: project.id },
    isEnabled: isAllowed,
    keepsEarlier: false,
  });
  const change = useChange({
    document: DELETE_PROJECT,
    touches: ['session', 'projects', 'team'],
    onDone: ({ deleteProject: { name, deletionAt } }) => {
      toast(remove.done(name, formatExactTime(deletionAt ?? '')));
      void navigate({ to: '/team', search: { team: project.teamId }, replace: true });
    },
  });
  return (
    <Card title={remove.title}>
      <Stack>
        <div>{about}</div>
        {isAllowed ? (
          data ? (
            <div>{remove.contents(shown(data.projectContents))}</div>
          ) : error ? (
            <ErrorState error={error} retry={refetch} />
          ) : (
            <LoadingRows rows={1} />
          )
        ) : null}
        <div>
          {remove.archive}{' '}
          <Link to="/team" search={{ team: project.teamId }}>
            {remove.team}
          </Link>
        </div>
        <div>
          <GuardedButton scope="team:manage" color="red" variant="light" onClick={() => setIsOpen(true)}>
            {remove.action}
          </GuardedButton>
        </div>
        <ConfirmDialog
          isOpen={isOpen}
          title={remove.confirmTitle(project.name)}
          verb={remove.action}
          asksPassword
          asksCode={user.secondFactor}
          problem={problem}
          isPending={change.isPending}
          onClose={() => {
            setIsOpen(false);
            setProblem(null);
          }}
          onConfirm={(password, code) =>
            change.mutate({ id: project.id, password, code }, { onError: ({ message }) => setProblem(message) })
          }
        >
          {data ? remove.contents(shown(data.projectContents)) : about}
        </ConfirmDialog>
      </Stack>
    </Card>
  );
}

function shown<Counts extends Record<string, number>>(counts: Counts): Record<keyof Counts, string> {
  const entries = Object.entries(counts).map(([name, count]) => [name, formatExact(count)]);
  return Object.fromEntries(entries) as Record<keyof Counts, string>;
}
