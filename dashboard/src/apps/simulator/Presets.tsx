import { Button, Group, Stack } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { type Inputs, textOf } from './inputs.ts';
import { PRESETS, type Preset } from './presets.ts';

interface PresetsProps {
  inputs: Inputs;
  onChoose: (inputs: Inputs) => void;
}

/** Cases to begin with, and what the chosen one is about. */
export function Presets({ inputs, onChoose }: PresetsProps) {
  const { sim } = t.apps;
  const current = textOf(inputs);
  const chosen = (Object.keys(PRESETS) as Preset[]).find((preset) => textOf(PRESETS[preset]) === current);
  return (
    <Card title={sim.presets}>
      <Stack gap="xs">
        <Group gap="xs">
          {(Object.keys(PRESETS) as Preset[]).map((preset) => (
            <Button
              key={preset}
              size="compact-sm"
              variant={preset === chosen ? 'light' : 'default'}
              aria-pressed={preset === chosen}
              onClick={() => onChoose(PRESETS[preset])}
            >
              {sim.preset[preset]}
            </Button>
          ))}
        </Group>
        {chosen ? <div>{sim.presetAbout[chosen]}</div> : null}
      </Stack>
    </Card>
  );
}
