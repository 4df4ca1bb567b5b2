import { useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { graphql } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { SecretOnce } from '../ui/SecretOnce.tsx';
import { toastError } from '../ui/toasts.ts';
import type { SetupData } from './operations.ts';
import styles from './overview.module.css';

const CREATE_KEY = graphql(`
  mutation CreateFirstKey($input: CreateKeyInput!) {
    createKey(input: $input) {
      key
    }
  }
`);

/** A key, shown once, and the call that uses it. */
export function ApiStep({ data }: { data: SetupData }) {
  const projectId = useProjectId();
  const { service } = useSession();
  const [key, setKey] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { api } = t.overview.steps;
  const isDone = data.keys.data.some(({ kind, lastUsedAt }) => kind === 'secret' && lastUsedAt !== null);
  const create = async () => {
    setIsPending(true);
    try {
      // Not by a query of the cache: the answer is a secret.
      const { createKey } = await ask(CREATE_KEY, { input: { projectId, name: api.keyName } });
      setKey(createKey.key);
      void refresh(['keys', 'setup']);
    } catch (error) {
      toastError(error as Error);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div className={styles.form}>
      <p>{api.about}</p>
      {key === null ? (
        <div>
          <GuardedButton scope="keys:write" loading={isPending} onClick={() => void create()}>
            {api.action}
          </GuardedButton>
        </div>
      ) : (
        <SecretOnce
          secret={key}
          what={api.key}
          fileName={api.fileName}
          label={api.stored}
          onStored={() => setKey(null)}
        >
          <Code text={curlOf(service.baseUrl, key)} what={api.command} />
        </SecretOnce>
      )}
      <p role="status" className={styles.soft}>
        {isDone ? api.used : api.waiting}
      </p>
    </div>
  );
}

function curlOf(baseUrl: string, key: string): string {
  return [
    `curl ${baseUrl}/api/v1/links`,
    `  -H "Authorization: Bearer ${key}"`,
    '  -H "Content-Type: application/json"',
    `  -d '{"destination": "https://example.com"}'`,
  ].join(' \\\n');
}
