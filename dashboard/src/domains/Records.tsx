import { Alert, Button, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { downloadText } from '../kernel/csv.ts';
import { refresh, useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useCan } from '../session/permissions.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconAlert, IconCheck, IconClock, IconClose, IconDownload } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { StateChip } from '../ui/StateChip.tsx';
import { Time } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import { type DomainRecord, type OneDomain, VERIFY_DOMAIN } from './operations.ts';

const LOOK_MS = 15_000;
/** Records that are not seen by then take hours, and an open page must not ask for ever. */
const LOOKS = 40;

const KNOWN = { isPending: false, error: null, refetch: () => {} };

/** What to set beside what was found, checked again by itself while the page is open. */
export function Records({ domain }: { domain: OneDomain }) {
  const { records } = t.domains;
  const { isAllowed } = useCan('domains:write');
  const isOpen = domain.status !== 'verified';
  const isStopped = useChecks(domain.id, isOpen && isAllowed);
  const check = useChange({
    document: VERIFY_DOMAIN,
    touches: ['domains'],
    onDone: ({ verifyDomain }) => {
      if (verifyDomain.status !== 'verified') toast(records.checked);
    },
  });
  const { columns } = records;
  return (
    <Card
      title={domain.kind === 'web' ? records.file : records.title}
      actions={
        <GuardedButton
          scope="domains:write"
          variant="default"
          loading={check.isPending}
          onClick={() => check.mutate({ id: domain.id }, { onError: toastError })}
        >
          {records.check}
        </GuardedButton>
      }
    >
      <Stack>
        <div>{domain.kind === 'web' ? records.aboutWeb : records.about}</div>
        {domain.problem ? (
          <Alert color="yellow" variant="light" icon={<IconAlert size={18} />}>
            <span lang="en">{domain.problem}</span>
          </Alert>
        ) : null}
        <RecordTable
          label={records.label}
          rows={domain.verification}
          keyOf={({ type, value }) => type + value}
          query={KNOWN}
          empty={null}
          columns={[
            { title: columns.record, cell: ({ type }) => type, isWords: true },
            { title: columns.name, cell: (record) => <Name record={record} /> },
            { title: columns.value, cell: (record) => <Value record={record} /> },
            {
              title: columns.found,
              cell: (record) => <Found record={record} />,
              isWords: ({ found }) => !found?.length,
            },
            { title: columns.state, cell: (record) => <State record={record} />, isWords: true },
          ]}
        />
        <details>
          <summary>{records.howTo}</summary>
          <ul lang="en">
            {domain.verification.map(({ about, value }) => (
              <li key={value}>{about}</li>
            ))}
          </ul>
        </details>
        <div role="status">
          {t.domains.columns.checked}: {domain.checkedAt ? <Time at={domain.checkedAt} /> : t.domains.notChecked}
          {isStopped ? ` – ${records.stopped}` : null}
        </div>
      </Stack>
    </Card>
  );
}

/** Asks for a check every so often while the page is visible; whether it has stopped doing so. */
function useChecks(id: string, isWanted: boolean): boolean {
  const [looks, setLooks] = useState(0);
  const isOver = looks >= LOOKS;
  useEffect(() => {
    if (!isWanted || isOver) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      setLooks((done) => done + 1);
      // What fails here is tried again in a moment, and the page shows its age.
      void ask(VERIFY_DOMAIN, { id })
        .then(() => refresh(['domains']))
        .catch(() => {});
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [id, isWanted, isOver]);
  return isWanted && isOver;
}

function Name({ record: { type, name, nameInZone } }: { record: DomainRecord }) {
  const { records } = t.domains;
  if (type === 'FILE') return <code>{records.fileName(name)}</code>;
  return (
    <>
      <div>
        <code>{name}</code> <CopyButton text={name} what={records.whatName} />
      </div>
      {nameInZone === null ? null : (
        <div>
          <code>{records.host(nameInZone)}</code> <CopyButton text={nameInZone} what={records.whatHost} />
        </div>
      )}
    </>
  );
}

function Value({ record: { type, name, value } }: { record: DomainRecord }) {
  const { records } = t.domains;
  return (
    <>
      <code>{value}</code> <CopyButton text={value} what={records.whatValue} />
      {type === 'FILE' ? (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          onClick={() => downloadText(name.slice(name.lastIndexOf('/') + 1), value, 'text/plain')}
        >
          {records.download}
        </Button>
      ) : null}
    </>
  );
}

function Found({ record: { found } }: { record: DomainRecord }) {
  const { records } = t.domains;
  if (found === null) return records.unknown;
  if (found.length === 0) return records.nothing;
  return found.map((one) => (
    <div key={one}>
      <code>{one}</code>
    </div>
  ));
}

function State({ record: { found, isSet } }: { record: DomainRecord }) {
  const { records } = t.domains;
  if (isSet) return <StateChip look={{ tone: 'good', icon: IconCheck }}>{records.isSet}</StateChip>;
  if (found !== null && found.length > 0) {
    return <StateChip look={{ tone: 'alarm', icon: IconClose }}>{records.isWrong}</StateChip>;
  }
  return <StateChip look={{ tone: 'accent', icon: IconClock }}>{records.isNotSet}</StateChip>;
}
