import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t, withTexts } from '../texts/index.ts';
import { IconCheck } from '../ui/icons.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { ApiStep } from './ApiStep.tsx';
import { CreateStep } from './CreateStep.tsx';
import { OpenStep } from './OpenStep.tsx';
import { OwnStep } from './OwnStep.tsx';
import type { SetupData } from './operations.ts';
import styles from './overview.module.css';
import type { Step, StepName } from './stepsOf.ts';

// It sends a test as the pages of webhooks do.
const loadWebhookStep = withTexts('webhooks', () => import('./WebhookStep.tsx'));
const WebhookStep = onDemand(() => loadWebhookStep().then(({ WebhookStep }) => WebhookStep));

const PARTS: Record<StepName, (props: { data: SetupData }) => ReactNode> = {
  create: CreateStep,
  open: OpenStep,
  webhook: WebhookStep,
  api: ApiStep,
  own: OwnStep,
};

interface FirstStepsProps {
  steps: readonly Step[];
  data: SetupData;
  onDismiss: () => void;
}

/**
 * The way from nothing to the first click and the first webhook. The first step that is not done is open. A step that was done here
 * stays open, with its answer or its secret, until its reader goes on; only a link that was made leads straight to opening it.
 */
export function FirstSteps({ steps, data, onDismiss }: FirstStepsProps) {
  const texts = t.overview.steps;
  const next = steps.find(({ isDone }) => !isDone)?.name ?? null;
  const [opened, setOpened] = useState<StepName | null>(next);
  // What was opened stays, hidden: it may hold a secret that is not stored yet.
  const visited = useRef(new Set<StepName>());
  if (opened !== null) visited.current.add(opened);
  const heading = useRef<HTMLButtonElement>(null);
  const hasLink = steps.some(({ name, isDone }) => name === 'create' && isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  const hadLink = useRef(hasLink);
  useEffect(() => {
    if (!hasLink || hadLink.current) return;
    hadLink.current = true;
    setOpened((earlier) => (earlier === 'create' ? 'open' : earlier));
    // The field that had the focus is hidden now.
    heading.current?.focus();
  }, [hasLink]);
  const goOn = () => {
    setOpened(next);
    heading.current?.focus();
  };
  return (
    <Card
      isFlush
      title={texts.title}
      actions={
        <>
          <span className={styles.soft} role="status">
            {next === null ? texts.allDone : texts.done(done, steps.length)}
          </span>
          <Link to="/imports/new">{texts.import}</Link>
          <Button variant="subtle" size="compact-sm" onClick={onDismiss}>
            {next === null ? t.common.close : texts.dismiss}
          </Button>
        </>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ name, isDone }, index) => {
          const Part = PARTS[name];
          const isOpen = name === opened;
          return (
            <li key={name} className={styles.step} data-done={isDone || undefined}>
              <button
                type="button"
                ref={name === next ? heading : undefined}
                className={styles.summary}
                aria-expanded={isOpen}
                onClick={() => setOpened(isOpen ? null : name)}
              >
                <span className={styles.mark} aria-hidden>
                  {isDone ? <IconCheck size={14} stroke={3} /> : index + 1}
                </span>
                <span>{texts[name].title}</span>
                <span className="visually-hidden">{isDone ? texts.isDone : texts.isOpen}</span>
              </button>
              {visited.current.has(name) ? (
                <div className={styles.body} hidden={!isOpen}>
                  <Part data={data} />
                  {isDone && next !== null ? (
                    <Button mt="md" variant="light" onClick={goOn}>
                      {texts.next(texts[next].title)}
                    </Button>
                  ) : null}
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
