import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { FIRST_FIELD } from '../../ui/firstField.ts';
import { onDemand } from '../../ui/onDemand.tsx';
import { Said, textOf } from '../../ui/Said.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { SendingFields } from './SendingFields.tsx';
import styles from './WebhookFields.module.css';
import type { WebhookDraft } from './webhookForm.ts';

// Everything that needs lists to choose from, which are a large part of the code.
const ScopeFields = onDemand(() => import('./ScopeFields.tsx').then(({ ScopeFields }) => ScopeFields), {
  fallback: <LoadingRows rows={2} />,
});

export interface WebhookFieldsProps {
  values: WebhookDraft;
  change: (changed: Partial<WebhookDraft>) => void;
  /** Messages by the name of the field. */
  errors: Readonly<Record<string, string>>;
  /** A new webhook chooses once whether it is of a project or of the whole team. */
  isNew: boolean;
  /** The tag whose events it gets at the moment. */
  tag?: { id: string; name: string } | null;
}

/** Everything that is chosen of a webhook. */
export function WebhookFields({ values, change, errors, isNew, tag }: WebhookFieldsProps) {
  const { service } = useSession();
  const { form } = t.webhooks;
  return (
    <Stack>
      <TextInput
        label={form.url}
        description={`${form.urlHint} ${service.allowsPrivateTargets ? form.privateAllowed : form.privateRefused}`}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        {...(isNew ? FIRST_FIELD : {})}
        value={values.url}
        error={errors.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <TextInput
        label={form.description}
        value={values.description}
        error={errors.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <EventTypes values={values} change={change} error={errors.eventTypes} />
      <ScopeFields values={values} change={change} errors={errors} isNew={isNew} tag={tag} />
      <Checkbox
        label={form.includeBots}
        checked={values.includeBots}
        onChange={(event) => change({ includeBots: event.currentTarget.checked })}
      />
      <SendingFields values={values} change={change} errors={errors} isNew={isNew} />
    </Stack>
  );
}

function EventTypes({
  values,
  change,
  error,
}: Pick<WebhookFieldsProps, 'values' | 'change'> & { error: string | undefined }) {
  const { service } = useSession();
  const { types } = t.webhooks;
  const groups = Map.groupBy(service.eventTypes, ({ type }) => groupOf(type));
  const { eventTypes } = values;
  const set = (changed: Partial<typeof eventTypes>) => change({ eventTypes: { ...eventTypes, ...changed } });
  const toggle = (type: string, isOn: boolean) =>
    set({ types: isOn ? [...eventTypes.types, type] : eventTypes.types.filter((one) => one !== type) });
  return (
    <fieldset>
      <Radio.Group
        label={types.choose}
        value={eventTypes.isAll ? 'all' : 'some'}
        error={error}
        onChange={(value) => set({ isAll: value === 'all' })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={types.all} />
          <Radio value="some" label={types.some} />
        </Stack>
      </Radio.Group>
      {eventTypes.isAll ? null : (
        <div className={styles.groups}>
          {[...groups].map(([group, members]) => (
            <fieldset key={group}>
              <legend className={styles.group}>{types.groups[group as keyof typeof types.groups] ?? group}</legend>
              <Stack gap={6}>
                {members.map(({ type, about }) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    description={<Said text={textOf(t.webhooks.types.abouts, type)} english={about} />}
                    checked={eventTypes.types.includes(type)}
                    onChange={(event) => toggle(type, event.currentTarget.checked)}
                  />
                ))}
              </Stack>
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** What a type is about; events of several links are among those of one. */
function groupOf(type: string): string {
  return (type.split('.')[0] as string).replace(/^links$/, 'link');
}
