import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { refresh, useChange } from '../kernel/queries.ts';
import { useSession, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { FIRST_FIELD } from '../ui/firstField.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { Card, Page } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import { EmptyState } from '../ui/states.tsx';

const CREATE_PROJECT = graphql(`
  mutation CreateProject($input: CreateProjectInput!) {
    createProject(input: $input) {
      id
    }
  }
`);

/** A new project in one of the teams in which the person may create one. */
export function NewProjectPage() {
  const texts = t.settings.newProject;
  const navigate = useNavigate();
  const { teams } = useSession();
  const team = useTeam();
  const possible = teams.filter(({ scopes, status }) => scopes.includes('projects:write') && status === 'active');
  const [teamId, setTeamId] = useState(() => (possible.find(({ id }) => id === team?.id) ?? possible[0])?.id ?? null);
  const [name, setName] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useChange({
    document: CREATE_PROJECT,
    touches: [],
    onDone: async ({ createProject: { id } }) => {
      // The page of the project stands once the session knows it.
      await refresh(['session']);
      await navigate({ to: '/', search: { project: id } });
    },
  });
  if (teamId === null) {
    return (
      <Page title={texts.title}>
        <EmptyState title={team?.status === 'read_only' ? t.common.readOnlyTeam : texts.mayNot} />
      </Page>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const options = { onError: (error: Error) => setErrors(errorsOf(error, ['name'])) };
    create.mutate({ input: { teamId, name: name.trim() } }, options);
  };
  return (
    <Page title={texts.title} about={texts.about}>
      <Card>
        <form onSubmit={submit} noValidate>
          <Stack>
            {possible.length > 1 ? (
              <Select
                label={texts.team}
                data={possible.map((one) => ({ value: one.id, label: one.name }))}
                value={teamId}
                allowDeselect={false}
                onChange={setTeamId}
              />
            ) : null}
            <TextInput
              label={texts.name}
              description={texts.nameHint}
              required
              {...FIRST_FIELD}
              maxLength={100}
              value={name}
              error={errors.name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Problems messages={errors[''] ? [errors['']] : []} />
            <div>
              <Button type="submit" loading={create.isPending}>
                {texts.action}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}
