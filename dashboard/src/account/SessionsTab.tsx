import { Button } from '@mantine/core';
import { useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useChange, usePages } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Chip } from '../ui/StateChip.tsx';
import { Time } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';

const SESSIONS = graphql(`
  query Sessions($cursor: String) {
    sessions(cursor: $cursor, limit: 100) {
      data {
        id
        userAgent
        isCurrent
        createdAt
        lastUsedAt
        expiresAt
      }
      nextCursor
    }
  }
`);

const END_SESSION = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`);

const END_OTHER_SESSIONS = graphql(`
  mutation EndOtherSessions {
    signOutEverywhere(isThisToo: false)
  }
`);

type Session = ResultOf<typeof SESSIONS>['sessions']['data'][number];

/** Every browser in which the person is signed in. */
export function SessionsTab() {
  const { sessions } = t.account;
  const query = usePages({
    about: 'account',
    document: SESSIONS,
    variables: {},
    pageOf: (data) => data.sessions,
  });
  return (
    <Card title={sessions.title} actions={<EndOthers isAlone={query.rows.length < 2} />} isFlush>
      <RecordTable
        label={sessions.title}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={null}
        columns={[
          { title: sessions.columns.device, cell: (session) => <Device session={session} />, isWords: true },
          { title: sessions.columns.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: sessions.columns.used, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          { title: sessions.columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          { title: sessions.columns.actions, cell: (session) => <EndButton session={session} /> },
        ]}
      />
    </Card>
  );
}

function Device({ session }: { session: Session }) {
  return (
    <>
      {deviceOf(session)} {session.isCurrent ? <Chip tone="accent">{t.account.sessions.current}</Chip> : null}
    </>
  );
}

/** The server knows `Firefox on Windows`, or one of the two. */
function deviceOf({ userAgent }: Session): string {
  const [browser, system] = userAgent?.split(' on ') ?? [];
  if (browser === undefined) return t.account.sessions.unknownDevice;
  return system === undefined ? browser : t.account.sessions.device(browser, system);
}

function EndButton({ session }: { session: Session }) {
  const { sessions } = t.account;
  const end = useChange({ document: END_SESSION, touches: ['account'], onDone: () => toast(sessions.ended) });
  // This one ends by signing out.
  if (session.isCurrent) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={sessions.endOf(deviceOf(session))}
      loading={end.isPending}
      onClick={() => end.mutate({ id: session.id }, { onError: toastError })}
    >
      {sessions.end}
    </Button>
  );
}

function EndOthers({ isAlone }: { isAlone: boolean }) {
  const { sessions } = t.account;
  const [isAsking, setIsAsking] = useState(false);
  const end = useChange({
    document: END_OTHER_SESSIONS,
    touches: ['account'],
    onDone: () => {
      setIsAsking(false);
      toast(sessions.othersEnded);
    },
  });
  return (
    <>
      <Button variant="default" disabled={isAlone} onClick={() => setIsAsking(true)}>
        {sessions.endOthers}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={sessions.endOthersTitle}
        verb={sessions.endOthers}
        isPending={end.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => end.mutate({}, { onError: toastError })}
      >
        {sessions.endOthersBody}
      </ConfirmDialog>
    </>
  );
}
