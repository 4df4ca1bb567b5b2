import { useState } from 'react';
import { LiveClicks } from '../analytics/public.ts';
import { useAsk } from '../kernel/queries.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { timezone } from '../kernel/times.ts';
import { useProject } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Page } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Attention } from './Attention.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { OVERVIEW, SETUP } from './operations.ts';
import styles from './overview.module.css';
import { stepsOf } from './stepsOf.ts';
import { Figures, NewestLinks, TopLinks } from './Week.tsx';

/** Soon enough for somebody who waits for the first click. */
const STEPS_POLL_MS = 2_000;
const FIRST_CLICK_POLL_MS = 5_000;
const POLL_MS = 60_000;

/** What happened, what needs attention, and for a new project the way to its first click and webhook. */
export function OverviewPage() {
  const projectId = useProject()?.id ?? '';
  // With another project everything begins anew, also which step is open.
  return (
    <Page title={t.overview.title}>
      <Overview key={projectId} projectId={projectId} />
    </Page>
  );
}

function Overview({ projectId }: { projectId: string }) {
  const { setup, steps, dismiss } = useSteps(projectId);
  const { data, error, refetch } = useAsk({
    about: 'analytics',
    document: OVERVIEW,
    variables: { projectId, timezone: timezone() },
    keepsEarlier: false,
    // Whoever waits for the first click of the week sees it in the figures too.
    pollMs: (known) => (known?.week.total.count === 0 ? FIRST_CLICK_POLL_MS : POLL_MS),
  });
  return (
    <>
      {steps && setup.data ? <FirstSteps steps={steps} data={setup.data} onDismiss={dismiss} /> : null}
      {data ? <Figures week={data.week} /> : null}
      <div className={styles.columns}>
        <LiveClicks projectId={projectId} />
        {data ? (
          <>
            <TopLinks week={data.week} />
            <NewestLinks links={data.links.data} />
          </>
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          <LoadingRows rows={8} />
        )}
        <Attention query={setup} />
      </div>
    </>
  );
}

/** The first steps while they are shown: until the reader closes them, or from the start where all are done. */
function useSteps(projectId: string) {
  const project = useProject();
  const [dismissed, setDismissed] = useState(() => readPreference('dismissedSteps') ?? []);
  const [wasNew, setWasNew] = useState(false);
  const isDismissed = dismissed.includes(projectId);
  const setup = useAsk({
    about: 'setup',
    document: SETUP,
    variables: { projectId },
    keepsEarlier: false,
    pollMs: (known) =>
      known && !isDismissed && stepsOf(known, project).some(({ isDone }) => !isDone) ? STEPS_POLL_MS : POLL_MS,
  });
  const steps = setup.data && !isDismissed ? stepsOf(setup.data, project) : null;
  const isNew = steps?.some(({ isDone }) => !isDone) ?? false;
  // Whoever has just taken the last step sees that it is done.
  if (isNew && !wasNew) setWasNew(true);
  const dismiss = () => {
    const changed = [...dismissed, projectId];
    writePreference('dismissedSteps', changed);
    setDismissed(changed);
  };
  return { setup, steps: isNew || wasNew ? steps : null, dismiss };
}
