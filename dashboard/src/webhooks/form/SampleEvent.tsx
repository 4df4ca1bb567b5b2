import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Code } from '../../ui/Code.tsx';
import { ErrorText, LoadingRows } from '../../ui/states.tsx';
import styles from './WebhookFields.module.css';

const SAMPLES = graphql(`
  query SampleEvents {
    service {
      eventTypes {
        type
        sample
      }
    }
  }
`);

/** What an event looks like when it arrives, for people who choose among them. Asked for when it is opened. */
export function SampleEvent() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.sample} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t.webhooks.types.sample}</summary>
      {isOpen ? <Sample /> : null}
    </details>
  );
}

function Sample() {
  const { service } = useSession();
  const { data, error } = useAsk({ about: 'events', document: SAMPLES, variables: {} });
  const [type, setType] = useState(service.eventTypes[0]?.type ?? '');
  const { types } = t.webhooks;
  if (!data) return error ? <ErrorText error={error} /> : <LoadingRows rows={2} />;
  const { eventTypes } = data.service;
  const sample = eventTypes.find((one) => one.type === type)?.sample;
  return (
    <Stack gap={8} mt={8}>
      <Select
        label={types.sampleOf}
        data={eventTypes.map((one) => one.type)}
        value={type}
        onChange={(chosen) => setType(chosen ?? type)}
        allowDeselect={false}
        maw={320}
      />
      <Code text={JSON.stringify(sample)} what={types.body} language="json" />
    </Stack>
  );
}
