import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { queryClient, refresh, useChange } from '../kernel/queries.ts';
import { sessionQuery } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { FIRST_FIELD } from '../ui/firstField.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { Card, Page } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';

const CREATE_TEAM = graphql(`
  mutation CreateTeam($name: String!) {
    createTeam(name: $name) {
      id
    }
  }
`);

/** A further team, and then its first project. */
export function NewTeamPage() {
  const { create } = t.team;
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const open = async (teamId: string) => {
    setIsOpening(true);
    await refresh(['session']);
    const first = queryClient
      .getQueryData(sessionQuery.queryKey)
      ?.projects.data.find((project) => project.teamId === teamId);
    // The server makes a first project with the team.
    await (first
      ? navigate({ to: '/', search: { project: first.id } })
      : navigate({ to: '/projects/new', search: { team: teamId } }));
  };
  const createTeam = useChange({
    document: CREATE_TEAM,
    touches: [],
    onDone: (data) => void open(data.createTeam.id),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefusal(null);
    createTeam.mutate({ name }, { onError: setRefusal });
  };
  const errors = refusal ? errorsOf(refusal, ['name']) : {};
  return (
    <Page title={create.title} back="/team" about={create.about}>
      <Card>
        <form onSubmit={submit} noValidate>
          <Stack align="flex-start">
            <TextInput
              label={create.name}
              description={create.nameHint}
              required
              maxLength={100}
              w="100%"
              maw={480}
              {...FIRST_FIELD}
              value={name}
              error={errors.name ? <span lang="en">{errors.name}</span> : null}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Refusal error={refusal} />
            <Button type="submit" loading={createTeam.isPending || isOpening}>
              {create.action}
            </Button>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}

function Refusal({ error }: { error: Error | null }) {
  const { create } = t.team;
  if (error === null) return null;
  const words = {
    sign_up_closed: { title: create.closed, body: create.closedAbout },
    account_limit_reached: { title: create.limit, body: create.limitAbout },
  }[codeOf(error)];
  if (words) {
    return (
      <Alert color="yellow" variant="light" role="alert" title={words.title}>
        {words.body}
      </Alert>
    );
  }
  const other = errorsOf(error, ['name'])[''];
  return <Problems messages={other ? [other] : []} />;
}
