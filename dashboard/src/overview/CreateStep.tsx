import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { FIRST_FIELD } from '../ui/firstField.ts';
import styles from './overview.module.css';

const SHORTEN = graphql(`
  mutation Shorten($input: CreateLinkInput!) {
    createLink(input: $input) {
      id
    }
  }
`);

/** One field, from an address to a short link. */
export function CreateStep() {
  const projectId = useProjectId();
  const [destination, setDestination] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const create = useChange({
    document: SHORTEN,
    touches: ['links', 'analytics', 'setup'],
    onDone: () => {
      setDestination('');
      setProblem(null);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { projectId, destination: withScheme(destination.trim()) };
    create.mutate(
      { input },
      { onError: (error) => setProblem((error instanceof GraphqlError && error.fields[0]?.message) || error.message) },
    );
  };
  const { create: texts } = t.overview.steps;
  return (
    <form onSubmit={submit} className={styles.form}>
      <p>{texts.about}</p>
      <TextInput
        label={texts.label}
        placeholder="https://example.com"
        inputMode="url"
        autoComplete="off"
        {...FIRST_FIELD}
        required
        value={destination}
        error={problem}
        onChange={(event) => setDestination(event.currentTarget.value)}
      />
      <div>
        <GuardedButton scope="links:write" type="submit" loading={create.isPending}>
          {texts.action}
        </GuardedButton>
      </div>
    </form>
  );
}

/** People write `example.com`. */
function withScheme(text: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
}
