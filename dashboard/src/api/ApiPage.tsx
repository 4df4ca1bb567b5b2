import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useAsk, usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProject } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconPlus } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useNow } from '../ui/Time.tsx';
import { FirstCode } from './FirstCode.tsx';
import { AccessOf, KeyActions, KeyName, KeyState, LastUse } from './keyCells.tsx';
import { isWorking, KEYS, type Key } from './operations.ts';
import { SCOPES } from './scopes.ts';

const NewKeyDialog = dialogOnDemand(
  () => import('./NewKeyDialog.tsx').then(({ NewKeyDialog }) => NewKeyDialog),
  ({ isOpen }) => isOpen,
);
const RollKeyDialog = dialogOnDemand(
  () => import('./RollKeyDialog.tsx').then(({ RollKeyDialog }) => RollKeyDialog),
  ({ replaced }) => replaced !== null,
);

const MINUTE_MS = 60_000;

/** Keys of the project, and the code that uses them. */
export function ApiPage() {
  const project = useProject();
  const projectId = project?.id ?? '';
  const [isCreating, setIsCreating] = useState(false);
  const [rolled, setRolled] = useState<Key | null>(null);
  const query = usePages({ about: 'keys', document: KEYS, variables: { projectId }, pageOf: (data) => data.keys });
  const { data: known, error: noScopes } = useAsk({
    about: 'keys',
    document: SCOPES,
    variables: {},
    freshMs: MINUTE_MS,
  });
  const allScopes = known?.service.scopes ?? [];
  useNow(MINUTE_MS);
  // What ended a moment ago, such as a key that was just rolled, must not look as if it worked.
  const now = Date.now();
  const secrets = query.rows.filter(({ kind }) => kind === 'secret');
  const publishable = query.rows.filter((key) => key.kind === 'publishable');
  const usable = publishable.find((key) => isWorking(key, now));
  const { columns } = t.api;
  return (
    <Page
      title={t.api.title}
      about={t.api.about}
      actions={
        <>
          <Anchor href="/reference">{t.api.reference}</Anchor>
          <Anchor href="/api/v1/openapi.json">{t.api.document}</Anchor>
          <GuardedButton scope="keys:write" leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
            {t.api.new}
          </GuardedButton>
        </>
      }
    >
      <Card title={t.api.secret.title} isFlush>
        <RecordTable
          label={t.api.secret.title}
          rows={secrets}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={t.api.secret.empty} body={t.api.secret.about} />}
          columns={[
            { title: columns.name, cell: (key) => <KeyName apiKey={key} /> },
            { title: columns.key, cell: ({ lastFour }) => <code>{t.api.ending(lastFour)}</code>, isWords: true },
            { title: columns.scopes, cell: (key) => <AccessOf apiKey={key} all={allScopes} />, isWords: true },
            { title: columns.used, cell: (key) => <LastUse apiKey={key} />, isWords: true },
            { title: columns.state, cell: (key) => <KeyState apiKey={key} now={now} /> },
            { title: columns.actions, cell: (key) => <KeyActions apiKey={key} now={now} onRoll={setRolled} /> },
          ]}
        />
      </Card>
      {publishable.length === 0 && !query.hasNextPage ? null : (
        <Card title={t.api.publishable.title} isFlush>
          <RecordTable
            label={t.api.publishable.title}
            rows={publishable}
            keyOf={({ id }) => id}
            query={query}
            empty={null}
            columns={[
              { title: columns.name, cell: (key) => <KeyName apiKey={key} /> },
              {
                title: columns.key,
                cell: ({ key }) => (
                  <>
                    <code>{key}</code> <CopyButton text={key ?? ''} what={t.api.publishable.what} />
                  </>
                ),
              },
              { title: columns.used, cell: (key) => <LastUse apiKey={key} />, isWords: true },
              { title: columns.state, cell: (key) => <KeyState apiKey={key} now={now} /> },
              { title: columns.actions, cell: (key) => <KeyActions apiKey={key} now={now} onRoll={setRolled} /> },
            ]}
          />
        </Card>
      )}
      <FirstCode publishableKey={usable?.key ?? null} />
      <NewKeyDialog
        isOpen={isCreating}
        projectId={projectId}
        scopes={allScopes}
        problem={noScopes}
        onClose={() => setIsCreating(false)}
      />
      <RollKeyDialog replaced={rolled} onClose={() => setRolled(null)} />
    </Page>
  );
}
