import { Checkbox, Stack, TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { WebhookFieldsProps } from './WebhookFields.tsx';
import type { WebhookDraft } from './webhookForm.ts';

/** How events are sent: one by one or together, and how many requests at once. */
export function SendingFields({ values, change, errors }: WebhookFieldsProps) {
  const { form } = t.webhooks;
  const { batch } = values;
  const setBatch = (changed: Partial<WebhookDraft['batch']>) => change({ batch: { ...batch, ...changed } });
  const field = (name: 'maxEvents' | 'maxWaitSeconds' | 'maxInFlight', max: number) => ({
    type: 'number',
    min: 1,
    max,
    required: true,
    label: form[name],
  });
  return (
    <>
      <Checkbox
        label={form.batches}
        description={form.batchesHint}
        checked={batch.isOn}
        onChange={(event) => setBatch({ isOn: event.currentTarget.checked })}
      />
      {batch.isOn ? (
        <Stack pl="xl">
          <TextInput
            {...field('maxEvents', 1000)}
            value={batch.maxEvents}
            error={errors['batch.maxEvents']}
            onChange={(event) => setBatch({ maxEvents: event.currentTarget.value })}
          />
          <TextInput
            {...field('maxWaitSeconds', 60)}
            value={batch.maxWaitSeconds}
            error={errors['batch.maxWaitSeconds']}
            onChange={(event) => setBatch({ maxWaitSeconds: event.currentTarget.value })}
          />
        </Stack>
      ) : null}
      <TextInput
        {...field('maxInFlight', 100)}
        value={values.maxInFlight}
        error={errors.maxInFlight}
        onChange={(event) => change({ maxInFlight: event.currentTarget.value })}
      />
    </>
  );
}
