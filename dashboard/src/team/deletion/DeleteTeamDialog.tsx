import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../kernel/ask.ts';
import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { refresh, useAsk } from '../../kernel/queries.ts';
import { formatDate } from '../../kernel/times.ts';
import { useSecretRequest } from '../../kernel/useSecretRequest.ts';
import { type Team, useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { attemptProblems } from '../../ui/attemptProblems.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { ErrorText } from '../../ui/states.tsx';
import { toast, toastError } from '../../ui/toasts.ts';

const CONTENTS = graphql(`
  query TeamContents($id: ID!) {
    teamContents(id: $id) {
      projects
      links
      domains
      webhooks
      keys
      members
      installs
      clicks
    }
  }
`);

const DELETE_TEAM = graphql(`
  mutation DeleteTeam($id: ID!, $password: String!, $code: String) {
    deleteTeam(id: $id, password: $password, code: $code) {
      deletionAt
    }
  }
`);

const RESTORE_TEAM = graphql(`
  mutation RestoreTeam($id: ID!) {
    restoreTeam(id: $id) {
      id
    }
  }
`);

type Contents = ResultOf<typeof CONTENTS>['teamContents'];

interface DeleteTeamDialogProps {
  isOpen: boolean;
  team: Team;
  onClose: () => void;
}

/** Says how much ends with the team and what can be undone, and asks for the password. */
export function DeleteTeamDialog({ isOpen, team, onClose }: DeleteTeamDialogProps) {
  const { deletion } = t.team;
  const { user } = useSession();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const { data, error } = useAsk({
    about: 'team',
    document: CONTENTS,
    variables: { id: team.id },
    isEnabled: isOpen,
    keepsEarlier: false,
  });
  // Not a change with a cache: its variables hold the password.
  const { request, isPending } = useSecretRequest(DELETE_TEAM);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const confirm = async (password: string, code: string | null) => {
    try {
      const { deletionAt } = (await request({ id: team.id, password, code })).deleteTeam;
      // First what there is without the team: other pages would ask about its projects.
      await refresh(['session']);
      await navigate({ to: '/', search: { project: undefined } as never });
      toast(deletion.done(team.name, formatDate(deletionAt ?? '')), () => void restore(team));
    } catch (refusal) {
      setProblem(attemptProblems(null, refusal).join(' '));
    }
  };
  const contents = data?.teamContents;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={deletion.dialogTitle(team.name)}
      verb={deletion.action}
      asksPassword
      asksCode={user.secondFactor}
      count={contents?.links ?? 1}
      // What was not counted was not said before.
      isPending={isPending || !contents}
      problem={problem}
      onClose={close}
      onConfirm={confirm}
    >
      <p>{deletion.stops}</p>
      {contents ? <Counts contents={contents} /> : error ? <ErrorText error={error} /> : <p>{deletion.counting}</p>}
      <p>{deletion.undo}</p>
    </ConfirmDialog>
  );
}

function Counts({ contents }: { contents: Contents }) {
  const { goes, counts, typesLinks } = t.team.deletion;
  const names = Object.keys(counts) as (keyof typeof counts)[];
  return (
    <>
      <p>{goes}</p>
      <Facts
        facts={names
          .filter((name) => contents[name] > 0)
          .map((name) => ({ name: counts[name], value: formatExact(contents[name]) }))}
      />
      {contents.links > 10 ? <p>{typesLinks}</p> : null}
    </>
  );
}

async function restore({ id, name }: Team): Promise<void> {
  try {
    await ask(RESTORE_TEAM, { id });
    await refresh(['session']);
    toast(t.team.deletion.restored(name));
  } catch (error) {
    toastError(error);
  }
}
