import { Button, Select, TextInput } from '@mantine/core';
import { countryOptions } from '../../kernel/countryOptions.ts';
import { t } from '../../texts/index.ts';
import { DEVICES, PLATFORMS } from '../platforms.ts';
import styles from './trace.module.css';
import { PRESETS, type Visitor } from './visitor.ts';

interface VisitorChooserProps {
  visitor: Visitor;
  onChange: (visitor: Visitor) => void;
}

/** Who comes: a preset, and each of its facts. */
export function VisitorChooser({ visitor, onChange }: VisitorChooserProps) {
  const set = (changed: Partial<Visitor>) => onChange({ ...visitor, ...changed });
  const { trace } = t.links;
  return (
    <div className={styles.chooser}>
      <div className={styles.presets}>
        {(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((preset) => (
          <Button
            key={preset}
            size="compact-sm"
            variant={isSame(visitor, PRESETS[preset]) ? 'light' : 'default'}
            aria-pressed={isSame(visitor, PRESETS[preset])}
            onClick={() => onChange(PRESETS[preset])}
          >
            {trace.presets[preset]}
          </Button>
        ))}
      </div>
      <details>
        <summary className={styles.more}>{trace.anotherVisitor}</summary>
        <div className={styles.fields}>
          <Select
            label={trace.platform}
            data={PLATFORMS.map((value) => ({ value, label: t.states.platforms[value] }))}
            value={visitor.platform ?? null}
            onChange={(platform) => set({ platform: platform as NonNullable<Visitor['platform']> })}
          />
          <Select
            label={trace.device}
            data={DEVICES.map((value) => ({ value, label: t.states.devices[value] }))}
            value={visitor.device ?? null}
            onChange={(device) => set({ device: device as NonNullable<Visitor['device']> })}
          />
          <Select
            label={trace.country}
            data={countryOptions()}
            searchable
            clearable
            value={visitor.country ?? null}
            onChange={(country) => set({ country })}
          />
          <TextField label={trace.language} value={visitor.language} onChange={(language) => set({ language })} />
          <TextField
            label={trace.referrerHost}
            value={visitor.referrerHost}
            onChange={(referrerHost) => set({ referrerHost })}
          />
          <TextField label={trace.query} value={visitor.query} onChange={(query) => set({ query })} />
          <TextInput
            type="datetime-local"
            label={trace.at}
            value={visitor.at ? localText(visitor.at) : ''}
            onChange={({ currentTarget: { value } }) => set({ at: value ? new Date(value).toISOString() : null })}
          />
        </div>
      </details>
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string | null | undefined;
  onChange: (value: string | null) => void;
}

function TextField({ label, value, onChange }: TextFieldProps) {
  return (
    <TextInput label={label} value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value || null)} />
  );
}

function isSame(visitor: Visitor, preset: Visitor): boolean {
  const given = Object.entries(visitor).filter(([, value]) => value !== null && value !== undefined);
  return (
    given.every(([name, value]) => preset[name as keyof Visitor] === value) && visitor.platform === preset.platform
  );
}

function localText(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
