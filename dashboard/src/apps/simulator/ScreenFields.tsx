import { Group } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { Screen } from './inputs.ts';
import { NumberField } from './NumberField.tsx';

interface ScreenFieldsProps {
  screen: Screen;
  errorOf: (field: string) => string | undefined;
  onChange: (screen: Screen) => void;
}

/** The size of a screen, as browser and app count it. */
export function ScreenFields({ screen, errorOf, onChange }: ScreenFieldsProps) {
  return (
    <Group grow align="flex-start">
      {(['width', 'height', 'scale'] as const).map((field) => (
        <NumberField
          key={field}
          label={t.apps.sim.fields[field]}
          step="any"
          value={screen[field]}
          error={errorOf(field)}
          onChange={(value) => onChange({ ...screen, [field]: value })}
        />
      ))}
    </Group>
  );
}
