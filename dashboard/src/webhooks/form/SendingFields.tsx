import { Checkbox, Stack, TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { WebhookFieldsProps } from './WebhookFields.tsx';

/** How events are sent: one by one or together, and how many requests at once. */
export function SendingFields({ values, change, errors }: WebhookFieldsProps) {
  const { form } = t.webhooks;
  const number = (name: 'maxEvents' | 'maxWaitSeconds' | 'maxInFlight', max: number, error?: string) => (
    <TextInput
      type="number"
      min={1}
      max={max}
      required
      label={form[name]}
      value={values[name]}
      error={error}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Checkbox
        label={form.batches}
        description={form.batchesHint}
        checked={values.batches}
        onChange={(event) => change({ batches: event.currentTarget.checked })}
      />
      {values.batches ? (
        <Stack pl="xl">
          {number('maxEvents', 1000, errors['batch.maxEvents'])}
          {number('maxWaitSeconds', 60, errors['batch.maxWaitSeconds'])}
        </Stack>
      ) : null}
      {number('maxInFlight', 100, errors.maxInFlight)}
    </>
  );
}
