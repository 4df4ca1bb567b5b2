import { Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { readFragment } from '../../kernel/graphql.ts';
import { t } from '../../texts/index.ts';
import { ErrorText } from '../../ui/states.tsx';
import { AttemptView } from '../request/AttemptView.tsx';
import { ATTEMPT, useDelivery } from '../request/delivery.ts';
import styles from './SendTest.module.css';

/** What became of a sample: at first that it is on its way, then the request and the answer. */
export function TestAnswer({ deliveryId }: { deliveryId: string }) {
  const { data, error } = useDelivery(deliveryId, 1);
  const texts = t.webhooks.test;
  const delivery = data?.delivery;
  const attempt = readFragment(ATTEMPT, delivery?.attempts ?? []).at(-1);
  if (error && !delivery) return <ErrorText error={error} />;
  if (!delivery || !attempt)
    return (
      <p className={styles.waiting} role="status">
        <Loader size={16} aria-hidden /> {texts.waiting}
      </p>
    );
  return (
    <>
      <AttemptView key={attempt.number} delivery={delivery} attempt={attempt} />
      <p>
        {delivery.status === 'pending' ? `${texts.willRetry} ` : null}
        <Link
          to="/webhooks/$webhookId/deliveries"
          params={{ webhookId: delivery.webhookId }}
          search={{ open: delivery.id }}
        >
          {texts.seeDelivery}
        </Link>
      </p>
    </>
  );
}
