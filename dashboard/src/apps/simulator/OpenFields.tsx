import { Checkbox, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { PLATFORMS } from '../installSearch.ts';
import type { Inputs, OpenInput } from './inputs.ts';
import { NumberField } from './NumberField.tsx';
import { ScreenFields } from './ScreenFields.tsx';

/** Fields that are folded, unless something is wrong with them. */
const FURTHER = ['address', 'timezone', 'appVersion', 'screen.width', 'screen.height', 'screen.scale'];

interface OpenFieldsProps {
  inputs: Inputs;
  /** What is wrong with each field of the opening, by its name; that of the visitors stands apart. */
  errorOf: (field: string) => string | undefined;
  visitorsError: string | undefined;
  onChange: (inputs: Inputs) => void;
}

/** The opening of the app as its SDK reports it, and what is known of the address. */
export function OpenFields({ inputs, errorOf, visitorsError, onChange }: OpenFieldsProps) {
  const { sim, setup } = t.apps;
  const { open, addressVisitors } = inputs;
  const set = (changed: Partial<OpenInput>) => onChange({ ...inputs, open: { ...open, ...changed } });
  const text = (
    field: 'osVersion' | 'deviceModel' | 'language' | 'timezone' | 'appVersion' | 'address',
    description?: string,
  ) => (
    <TextInput
      label={sim.fields[field]}
      description={description}
      spellCheck={false}
      autoComplete="off"
      value={open[field] ?? ''}
      error={errorOf(field)}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm">
      <div>
        <Input.Label component="div">{sim.fields.platform}</Input.Label>
        <SegmentedControl
          fullWidth
          aria-label={sim.fields.platform}
          data={PLATFORMS.map((value) => ({ value, label: setup.platforms[value] }))}
          value={open.platform}
          onChange={(platform) => set({ platform: platform as OpenInput['platform'] })}
        />
      </div>
      {text('osVersion')}
      {text('deviceModel')}
      {text('language')}
      <NumberField
        label={sim.visitors}
        description={sim.visitorsHint}
        min={1}
        value={addressVisitors}
        error={visitorsError}
        onChange={(visitors) => onChange({ ...inputs, addressVisitors: visitors })}
      />
      <Checkbox
        label={sim.fields.consent}
        checked={open.consent !== false}
        onChange={({ currentTarget }) => set({ consent: currentTarget.checked ? null : false })}
      />
      <details open={FURTHER.some(errorOf)}>
        <summary>{sim.more}</summary>
        <Stack gap="sm" mt="sm">
          {text('address', sim.addressHint)}
          {text('timezone')}
          {text('appVersion')}
          <ScreenFields
            screen={open.screen ?? {}}
            errorOf={(field) => errorOf(`screen.${field}`)}
            onChange={(screen) => set({ screen })}
          />
        </Stack>
      </details>
    </Stack>
  );
}
