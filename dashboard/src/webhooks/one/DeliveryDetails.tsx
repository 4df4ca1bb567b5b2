import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { shortAddress } from '../../kernel/addresses.ts';
import { readFragment } from '../../kernel/graphql.ts';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { formatDuration, formatExactTime, formatRelative, formatRemaining } from '../../kernel/times.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { type Right, useCan } from '../../session/permissions.ts';
import { t } from '../../texts/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { IconCheck, IconClose, IconRefresh } from '../../ui/icons.ts';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { toastError } from '../../ui/toasts.ts';
import { failureOf } from '../request/AttemptOutcome.tsx';
import { AttemptView } from '../request/AttemptView.tsx';
import { ATTEMPT, type Attempt, type Delivery, typeOf, useDelivery } from '../request/delivery.ts';
import { DeliveryChip } from '../state/chips.tsx';
import { rightToChange } from '../state/rightToChange.ts';
import { stateOf, type WebhookSummary } from '../state/webhookState.ts';
import styles from './one.module.css';
import { useResend } from './useResend.ts';

const SECOND_MS = 1000;
/** How often the ages of attempts are told anew. */
const AGE_MS = 10_000;

interface DeliveryDetailsProps {
  id: string;
  webhook: WebhookSummary;
}

/** One delivery: its state, and each attempt with request and response, the newest open. */
export function DeliveryDetails({ id, webhook }: DeliveryDetailsProps) {
  const [expected, setExpected] = useState(0);
  const { data, error, refetch } = useDelivery(id, expected);
  const resend = useResend();
  const right = rightToChange(webhook);
  const { isAllowed } = useCan(right);
  const sendAgain = () => {
    const onSuccess = () => setExpected((data?.delivery.attemptCount ?? 0) + 1);
    if (isAllowed && !resend.isPending) resend.mutate({ id }, { onSuccess, onError: toastError });
  };
  useShortcuts({ r: sendAgain });
  const { deliveries } = t.webhooks;
  if (!data) return error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />;
  const { delivery } = data;
  const attempts = readFragment(ATTEMPT, delivery.attempts);
  const link = delivery.event?.link;
  return (
    <div className={styles.details}>
      <div>
        <b>{typeOf(delivery)}</b> <DeliveryChip status={delivery.status} />
        <StateSentence delivery={delivery} webhook={webhook} />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{deliveries.when}</dt>
          <dd>
            <Time at={delivery.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{deliveries.event}</dt>
          <dd>
            <code>{delivery.eventId}</code> <CopyButton text={delivery.eventId} what={deliveries.event} />
          </dd>
        </div>
        {link ? (
          <div>
            <dt>{deliveries.link}</dt>
            <dd>
              <Link to="/links/$linkId" params={{ linkId: link.id }}>
                {shortAddress(link.shortUrl).replace(/^http:\/\//, '')}
              </Link>
            </dd>
          </div>
        ) : null}
      </dl>
      <div>
        <GuardedButton
          scope={right}
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={resend.isPending}
          onClick={sendAgain}
        >
          {deliveries.resend}
        </GuardedButton>
      </div>
      <Timeline delivery={delivery} attempts={attempts} right={right} />
    </div>
  );
}

/** What becomes of the delivery next, or what has become of it. */
function StateSentence({ delivery, webhook }: { delivery: Delivery; webhook: WebhookSummary }) {
  const now = useNow(SECOND_MS);
  const { states } = t.webhooks.deliveries;
  const { status, nextAttemptAt, attemptCount } = delivery;
  const sentence = () => {
    if (status !== 'pending') return status === 'failed' ? states.failed(attemptCount) : states[status];
    const state = stateOf(webhook);
    if (state !== 'on' && !delivery.test) return states[state];
    if (nextAttemptAt === null || Date.parse(nextAttemptAt) <= now) return states.sending;
    return states.next(formatRemaining(nextAttemptAt, now));
  };
  return <p className={styles.soft}>{sentence()}</p>;
}

interface TimelineProps {
  delivery: Delivery;
  attempts: readonly Attempt[];
  right: Right;
}

/** The attempts, newest first, with the time that passed between them. */
function Timeline({ delivery, attempts, right }: TimelineProps) {
  const now = useNow(AGE_MS);
  const { deliveries } = t.webhooks;
  return (
    <ol className={styles.timeline} aria-label={deliveries.timeline} reversed>
      {attempts.toReversed().map((attempt, index) => {
        const before = attempts.find(({ number }) => number === attempt.number - 1);
        const Icon = attempt.error === null ? IconCheck : IconClose;
        return (
          <li key={attempt.number} className={styles.step} data-tone={attempt.error === null ? 'good' : 'alarm'}>
            <span className={styles.mark}>
              <Icon size={14} stroke={2} aria-hidden />
            </span>
            <details className={styles.attempt} open={index === 0}>
              <summary>
                <b>{deliveries.attempt(attempt.number)}</b>
                <span>{attempt.error === null ? attempt.statusCode : failureOf(attempt)}</span>
                {attempt.manual ? <span className={styles.soft}>{deliveries.byHand}</span> : null}
                <span className={styles.soft}>
                  <time dateTime={attempt.at} title={formatExactTime(attempt.at)}>
                    {formatRelative(attempt.at, now)}
                  </time>
                </span>
              </summary>
              <div>
                <AttemptView delivery={delivery} attempt={attempt} right={right} />
              </div>
            </details>
            {before ? (
              <p className={styles.gap}>
                {deliveries.gap(formatDuration(Date.parse(attempt.at) - Date.parse(before.at)))}
              </p>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}
