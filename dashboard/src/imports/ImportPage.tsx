import { Alert, Button, Progress } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatExact } from '../kernel/numbers.ts';
import { useAsk } from '../kernel/queries.ts';
import { useItsPlace } from '../session/useItsPlace.ts';
import { t } from '../texts/index.ts';
import { IconDownload } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { TabLinks } from '../ui/TabLinks.tsx';
import { CancelImport } from './CancelImport.tsx';
import { ForReal } from './ForReal.tsx';
import { ImportRows, OUTCOMES, type Outcome } from './ImportRows.tsx';
import styles from './imports.module.css';
import { IMPORT, isUnderWay, type OneImport, POLL_MS } from './operations.ts';
import { watchImport } from './watched.ts';

/** How far an import is, what became of each row, and the way from its check to the import. */
export function ImportPage() {
  const { importId } = useParams({ from: '/shell/imports/$importId' });
  const { outcome: wanted } = useSearch({ from: '/shell/imports/$importId' });
  const { data, error, refetch } = useAsk({
    about: 'imports',
    document: IMPORT,
    variables: { id: importId },
    keepsEarlier: false,
    pollMs: (known) => (known && !isUnderWay(known.import) ? false : POLL_MS),
  });
  const isGoingOn = data !== undefined && isUnderWay(data.import);
  // It goes on when this page is left, and a toast tells.
  useEffect(() => {
    if (isGoingOn) watchImport(importId);
  }, [isGoingOn, importId]);
  const isInPlace = useItsPlace(data?.import);
  if (!data || !isInPlace) {
    return (
      <Page title={t.imports.importTitle} back="/imports">
        {error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />}
      </Page>
    );
  }
  const one = data.import;
  const outcome = OUTCOMES.find((name) => name === wanted) ?? 'all';
  return (
    <Page
      title={one.dryRun ? t.imports.checkTitle : t.imports.importTitle}
      back="/imports"
      about={t.imports.formats[one.sourceFormat]}
      actions={<Actions one={one} />}
    >
      {one.message ? (
        <Alert color={one.status === 'failed' ? 'red' : 'blue'} variant="light" lang="en">
          {one.message}
        </Alert>
      ) : null}
      {one.dryRun && one.status === 'finished' ? <ForReal checked={one} /> : null}
      {one.unknownColumns.length > 0 ? (
        <Alert color="yellow" variant="light">
          {t.imports.unknownColumns(one.unknownColumns.join(', '))}
        </Alert>
      ) : null}
      <Card title={<StateChip look={LOOKS.import[one.status]}>{t.states.import[one.status]}</StateChip>}>
        {isUnderWay(one) ? (
          <>
            <Progress value={100 * one.progress} aria-label={t.imports.progress} />
            <p className={styles.leave}>{t.imports.leave}</p>
          </>
        ) : null}
        <Counts one={one} />
      </Card>
      <OutcomeTabs one={one} current={outcome} />
      <ImportRows importId={one.id} outcome={outcome} isDryRun={one.dryRun} isUnderWay={isUnderWay(one)} />
    </Page>
  );
}

function OutcomeTabs({ one, current }: { one: OneImport; current: Outcome }) {
  const words = one.dryRun ? t.imports.outcomesDry : t.imports.outcomes;
  const countOf = (outcome: Outcome) => (outcome === 'all' ? one.counts.rows : one.counts[outcome]);
  return (
    <TabLinks
      label={t.imports.outcome}
      current={current}
      tabs={OUTCOMES.map((outcome) => ({
        tab: outcome,
        label: `${words[outcome]} (${formatExact(countOf(outcome))})`,
        to: `/imports/${one.id}`,
        search: outcome === 'all' ? {} : { outcome },
      }))}
    />
  );
}

function Counts({ one }: { one: OneImport }) {
  const words = one.dryRun ? t.imports.outcomesDry : t.imports.outcomes;
  const rows = [
    [t.imports.counts, one.counts.rows],
    [words.created, one.counts.created],
    [words.updated, one.counts.updated],
    [words.skipped, one.counts.skipped],
    [words.failed, one.counts.failed],
  ] as const;
  return (
    <dl className={styles.counts} aria-live="polite">
      {rows.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatExact(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ one }: { one: OneImport }) {
  const navigate = useNavigate();
  const hasLinks = !one.dryRun && one.counts.created + one.counts.updated > 0;
  return (
    <>
      {isUnderWay(one) ? <CancelImport importId={one.id} /> : null}
      {one.counts.failed > 0 ? (
        <Button
          component="a"
          href={`/graphql/imports/${one.id}/rows.csv?outcome=failed`}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t.imports.failures}
        </Button>
      ) : null}
      {hasLinks ? (
        <Button variant="default" onClick={() => void navigate({ to: '/links', search: { batch_id: one.batchId } })}>
          {t.imports.showLinks}
        </Button>
      ) : null}
    </>
  );
}
