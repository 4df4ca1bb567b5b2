import { Select } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { type Right, useCan } from '../../session/permissions.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { IconSend } from '../../ui/icons.ts';
import { Said, textOf } from '../../ui/Said.tsx';
import { toastError } from '../../ui/toasts.ts';
import { getsAll } from '../state/webhookState.ts';
import styles from './SendTest.module.css';
import { TestAnswer } from './TestAnswer.tsx';

const TEST_WEBHOOK = graphql(`
  mutation TestWebhook($id: ID!, $input: TestWebhookInput!) {
    testWebhook(id: $id, input: $input) {
      id
    }
  }
`);

interface SendTestProps {
  webhookId: string;
  /** Its types are offered first. */
  eventTypes: readonly string[];
  /** What the webhook asks of people who let it send; without it, one of a project. */
  right?: Right;
}

/** Sends a sample event to one webhook and shows request and answer in place. */
export function SendTest({ webhookId, eventTypes, right = 'webhooks:write' }: SendTestProps) {
  const { service } = useSession();
  const { isAllowed } = useCan(right);
  const types = inOrder(service.eventTypes, eventTypes);
  const [type, setType] = useState(types[0]?.type ?? '');
  const [deliveryId, setDeliveryId] = useState<string | null>(null);
  const test = useChange({
    document: TEST_WEBHOOK,
    touches: ['deliveries'],
    onDone: ({ testWebhook }) => setDeliveryId(testWebhook.id),
  });
  const texts = t.webhooks.test;
  const chosen = types.find((one) => one.type === type);
  const send = () => test.mutate({ id: webhookId, input: { type } }, { onError: toastError });
  return (
    <div className={styles.test}>
      <Select
        label={texts.type}
        description={chosen ? <Said text={textOf(t.webhooks.types.abouts, type)} english={chosen.about} /> : null}
        inputWrapperOrder={['label', 'input', 'description']}
        data={types.map((one) => one.type)}
        value={type}
        onChange={(another) => setType(another ?? type)}
        searchable={isAllowed}
        maw={420}
      />
      <div>
        <GuardedButton scope={right} leftSection={<IconSend size={16} />} loading={test.isPending} onClick={send}>
          {deliveryId === null ? texts.send : texts.sendAnother}
        </GuardedButton>
      </div>
      {deliveryId === null ? null : <TestAnswer key={deliveryId} deliveryId={deliveryId} />}
    </div>
  );
}

/** All types, those first that the webhook gets. */
function inOrder<Type extends { type: string }>(all: readonly Type[], wanted: readonly string[]): readonly Type[] {
  if (getsAll(wanted)) return all;
  return [...all.filter(({ type }) => wanted.includes(type)), ...all.filter(({ type }) => !wanted.includes(type))];
}
