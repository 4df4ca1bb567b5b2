import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import { draftStore, useFormDraft } from '../../kernel/useFormDraft.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { useCan } from '../../session/permissions.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { errorsOf } from '../../ui/formErrors.ts';
import { Card } from '../../ui/Page.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { toast } from '../../ui/toasts.ts';
import { UnsavedWork } from '../../ui/UnsavedWork.tsx';

const UPDATE_TEAM = graphql(`
  mutation UpdateTeam($id: ID!, $name: String!) {
    updateTeam(id: $id, name: $name) {
      id
    }
  }
`);

export function NameCard({ team }: { team: Team }) {
  const { settings } = t.team;
  const form = useFormDraft(draftStore<{ name: string }>(`team.name.${team.id}`), { name: team.name });
  const { isAllowed } = useCan('team:manage');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const save = useChange({
    document: UPDATE_TEAM,
    touches: ['session', 'audit'],
    onDone: () => {
      form.forget();
      setErrors({});
      toast(t.common.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.toSend();
    save.mutate({ id: team.id, name: form.draft.name }, { onError: (error) => setErrors(errorsOf(error, ['name'])) });
  };
  return (
    <Card title={settings.nameTitle}>
      <UnsavedWork form={form} onDiscard={form.reset} />
      <form onSubmit={submit} noValidate>
        <Stack align="flex-start">
          <TextInput
            label={settings.name}
            required
            maxLength={100}
            w="100%"
            maw={480}
            readOnly={!isAllowed}
            value={form.draft.name}
            error={errors.name ? <span lang="en">{errors.name}</span> : null}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
          />
          <Problems messages={errors[''] ? [errors['']] : []} />
          <GuardedButton scope="team:manage" type="submit" disabled={!form.isChanged} loading={save.isPending}>
            {t.common.save}
          </GuardedButton>
        </Stack>
      </form>
    </Card>
  );
}
