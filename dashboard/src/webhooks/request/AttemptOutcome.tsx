import { Alert } from '@mantine/core';
import { formatMilliseconds } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { IconAlert, IconCheck } from '../../ui/icons.ts';
import type { Attempt } from './delivery.ts';

/** What became of an attempt, and for a failed one what to do about it. */
export function AttemptOutcome({ attempt }: { attempt: Attempt }) {
  const { error, statusCode, durationMs } = attempt;
  const texts = t.webhooks.outcome;
  if (error === null)
    return (
      <Alert color="green" variant="light" role="status" icon={<IconCheck size={18} />}>
        {texts.accepted(statusCode ?? 200, formatMilliseconds(durationMs))}
      </Alert>
    );
  return (
    <Alert color="red" variant="light" role="status" icon={<IconAlert size={18} />} title={failureOf(attempt)}>
      {texts.advice[error]}
    </Alert>
  );
}

/** Why an attempt failed, in a few words. */
export function failureOf({ error, statusCode }: Pick<Attempt, 'error' | 'statusCode'>): string {
  if (error === null) return '';
  return error === 'status' ? t.webhooks.outcome.status(statusCode ?? 0) : t.webhooks.outcome.errors[error];
}
