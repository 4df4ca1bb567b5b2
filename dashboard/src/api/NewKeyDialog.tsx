import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { timezone } from '../kernel/times.ts';
import { useSecretRequest } from '../kernel/useSecretRequest.ts';
import { dayIn, startOfDay } from '../kernel/zones.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { errorsOf } from '../ui/formErrors.ts';
import { Problems } from '../ui/Problems.tsx';
import { ErrorText } from '../ui/states.tsx';
import { NewKey } from './NewKey.tsx';
import { ScopeTable } from './ScopeTable.tsx';
import { PRESETS, type Preset, scopesOf } from './scopes.ts';

const CREATE_KEY = graphql(`
  mutation CreateKey($input: CreateKeyInput!) {
    createKey(input: $input) {
      kind
      key
    }
  }
`);

type Created = ResultOf<typeof CREATE_KEY>['createKey'];

interface NewKeyDialogProps {
  isOpen: boolean;
  projectId: string;
  /** Every scope there is. */
  scopes: readonly string[];
  /** Why they are not known. */
  problem: Error | null;
  onClose: () => void;
}

const DAY_MS = 86_400_000;
const EXPIRIES = ['never', '30', '90', '365', 'date'] as const;
type Expiry = (typeof EXPIRIES)[number];

/** Asks what a new key is for, and shows it for the only time. */
export function NewKeyDialog({ isOpen, onClose, ...rest }: NewKeyDialogProps) {
  const [created, setCreated] = useState<Created | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  const isSecret = created?.kind === 'secret';
  return (
    <Dialog
      opened={isOpen}
      isKept={isSecret}
      onClose={close}
      title={created ? t.api.created.title : t.api.form.title}
      size="lg"
    >
      {created ? (
        <NewKey secret={created.key ?? ''} isSecret={isSecret} onStored={close} />
      ) : (
        <Form {...rest} onCreated={setCreated} />
      )}
    </Dialog>
  );
}

interface FormProps extends Pick<NewKeyDialogProps, 'projectId' | 'scopes' | 'problem'> {
  onCreated: (key: Created) => void;
}

function Form({ projectId, scopes, problem, onCreated }: FormProps) {
  const { form } = t.api;
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret');
  const [preset, setPreset] = useState<Preset>('all');
  const [selected, setSelected] = useState<string[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { request, isPending } = useSecretRequest(CREATE_KEY);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = endOf(expiry, day);
    const isNothing = kind === 'secret' && preset === 'some' && selected.length === 0;
    if (isNothing) return setErrors({ scopes: form.noScope });
    if (expiresAt === undefined) return setErrors({ expiresAt: form.noDate });
    try {
      const access = kind === 'secret' ? { scopes: scopesOf(preset, selected) } : {};
      const { createKey } = await request({ input: { projectId, name, kind, expiresAt, ...access } });
      void refresh(['keys', 'setup']);
      onCreated(createKey);
    } catch (error) {
      setErrors(errorsOf(error as Error, ['name', 'scopes', 'expiresAt']));
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={form.name}
          description={form.nameHint}
          required
          data-autofocus
          maxLength={100}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group label={form.kind} value={kind} onChange={(value) => setKind(value as typeof kind)}>
          <Stack gap={6} mt={6}>
            <Radio value="secret" label={form.kinds.secret} />
            <Radio value="publishable" label={form.kinds.publishable} />
          </Stack>
        </Radio.Group>
        {kind === 'secret' ? (
          <Radio.Group
            label={form.access}
            value={preset}
            error={errors.scopes}
            onChange={(value) => setPreset(value as Preset)}
          >
            <Stack gap={6} mt={6}>
              {PRESETS.map((one) => (
                <Radio key={one} value={one} label={t.api.presets[one]} description={t.api.presetAbouts[one]} />
              ))}
            </Stack>
          </Radio.Group>
        ) : null}
        {kind === 'secret' && preset === 'some' && problem && scopes.length === 0 ? (
          <ErrorText error={problem} />
        ) : null}
        {kind === 'secret' && preset === 'some' ? (
          <ScopeTable
            all={scopes}
            selected={selected}
            onChange={(chosen) => {
              setSelected(chosen);
              setErrors({});
            }}
          />
        ) : null}
        <Select
          label={form.expires}
          data={EXPIRIES.map((value) => ({ value, label: form.expiries[value] }))}
          value={expiry}
          allowDeselect={false}
          onChange={(value) => setExpiry((value as Expiry | null) ?? expiry)}
          error={expiry === 'date' ? undefined : errors.expiresAt}
        />
        {expiry === 'date' ? (
          <TextInput
            type="date"
            label={form.date}
            min={dayIn(timezone(), Date.now())}
            value={day}
            error={errors.expiresAt}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        ) : null}
        <Problems messages={errors[''] ? [errors['']] : []} />
        <GuardedButton scope="keys:write" type="submit" loading={isPending}>
          {form.action}
        </GuardedButton>
      </Stack>
    </form>
  );
}

/** When the key ends; null: never; undefined: no day was chosen. A key works for the whole of its last day. */
function endOf(expiry: Expiry, day: string): string | null | undefined {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  if (day === '') return undefined;
  const zone = timezone();
  // The day after the last one: a day may have 23 or 25 hours.
  const end = startOfDay(zone, dayIn(zone, startOfDay(zone, day) + 1.5 * DAY_MS));
  return end > Date.now() ? new Date(end).toISOString() : undefined;
}
