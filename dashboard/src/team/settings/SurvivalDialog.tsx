import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { errorsOf } from '../../ui/formErrors.ts';
import { Problems } from '../../ui/Problems.tsx';
import { toast } from '../../ui/toasts.ts';

const ENTER_SURVIVAL_MODE = graphql(`
  mutation EnterSurvivalMode($teamId: ID!, $reason: String!) {
    enterSurvivalMode(teamId: $teamId, reason: $reason) {
      id
    }
  }
`);

interface SurvivalDialogProps {
  isOpen: boolean;
  team: Team;
  onClose: () => void;
}

/** Asks why, and for the name of the team: it stops the work of everybody in it. */
export function SurvivalDialog({ isOpen, team, onClose }: SurvivalDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.team.survival.form.title(team.name)}>
      <Form team={team} onClose={onClose} />
    </Dialog>
  );
}

function Form({ team, onClose }: Omit<SurvivalDialogProps, 'isOpen'>) {
  const { survival } = t.team;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const enter = useChange({
    document: ENTER_SURVIVAL_MODE,
    touches: ['session', 'audit'],
    onDone: () => {
      toast(survival.entered);
      onClose();
    },
  });
  const isReady = reason.trim() !== '' && typed.trim() === team.name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady)
      enter.mutate({ teamId: team.id, reason }, { onError: (error) => setErrors(errorsOf(error, ['reason'])) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <div>{survival.stops}</div>
        <TextInput
          label={survival.form.reason}
          description={survival.form.reasonHint}
          required
          maxLength={500}
          data-autofocus
          value={reason}
          error={errors.reason ? <span lang="en">{errors.reason}</span> : null}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          label={survival.form.confirm(team.name)}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Problems messages={errors[''] ? [errors['']] : []} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isReady} loading={enter.isPending}>
            {survival.enter}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
