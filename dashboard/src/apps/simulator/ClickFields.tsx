import { Stack, Textarea, TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { ClickInput } from './inputs.ts';
import { NumberField } from './NumberField.tsx';
import { ScreenFields } from './ScreenFields.tsx';

/** Fields that are folded, unless something is wrong with them. */
const FURTHER = ['address', 'timezone', 'screen.width', 'screen.height', 'screen.scale'];

interface ClickFieldsProps {
  click: ClickInput;
  /** What is wrong with each field, by its name. */
  errorOf: (field: string) => string | undefined;
  onChange: (click: ClickInput) => void;
}

/** A click as the browser of a phone makes it. */
export function ClickFields({ click, errorOf, onChange }: ClickFieldsProps) {
  const { sim } = t.apps;
  const set = (changed: Partial<ClickInput>) => onChange({ ...click, ...changed });
  const text = (field: 'acceptLanguage' | 'address' | 'link' | 'timezone', description?: string) => (
    <TextInput
      label={sim.fields[field]}
      description={description}
      spellCheck={false}
      autoComplete="off"
      value={click[field] ?? ''}
      error={errorOf(field)}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm">
      <Textarea
        label={sim.fields.userAgent}
        required
        rows={2}
        spellCheck={false}
        value={click.userAgent}
        error={errorOf('userAgent')}
        onChange={({ currentTarget }) => set({ userAgent: currentTarget.value })}
      />
      {text('acceptLanguage')}
      <NumberField
        label={sim.fields.secondsBefore}
        value={click.secondsBefore}
        error={errorOf('secondsBefore')}
        onChange={(secondsBefore) => set({ secondsBefore })}
      />
      {text('link', sim.linkHint)}
      <details open={FURTHER.some(errorOf)}>
        <summary>{sim.more}</summary>
        <Stack gap="sm" mt="sm">
          {text('address', sim.addressHint)}
          {text('timezone')}
          <ScreenFields
            screen={click.screen ?? {}}
            errorOf={(field) => errorOf(`screen.${field}`)}
            onChange={(screen) => set({ screen })}
          />
        </Stack>
      </details>
    </Stack>
  );
}
