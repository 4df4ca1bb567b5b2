import { Button } from '@mantine/core';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { toast, toastError } from '../ui/toasts.ts';

const LEAVE_SURVIVAL_MODE = graphql(`
  mutation LeaveSurvivalMode($teamId: ID!) {
    leaveSurvivalMode(teamId: $teamId) {
      id
    }
  }
`);

/** Ends survival mode of a team, for its owners: they may do so while nothing else can be changed. */
export function LeaveSurvivalMode({ teamId }: { teamId: string }) {
  const leave = useChange({
    document: LEAVE_SURVIVAL_MODE,
    touches: ['session', 'audit'],
    onDone: () => toast(t.shell.survivalLeft),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={leave.isPending}
      onClick={() => leave.mutate({ teamId }, { onError: toastError })}
    >
      {t.shell.leaveSurvival}
    </Button>
  );
}
