import { TextInput } from '@mantine/core';

interface NumberFieldProps {
  label: string;
  description?: string;
  value: number | null | undefined;
  error: string | undefined;
  min?: number;
  /** `any` allows decimals. */
  step?: number | 'any';
  onChange: (value: number | null) => void;
}

/** A number that may be left out. Mantine's own field has a formatter that weighs as much as all charts. */
export function NumberField({ value, min = 0, step = 1, onChange, ...rest }: NumberFieldProps) {
  return (
    <TextInput
      type="number"
      inputMode={step === 'any' ? 'decimal' : 'numeric'}
      min={min}
      step={step}
      value={value ?? ''}
      onChange={({ currentTarget: { valueAsNumber } }) => onChange(Number.isNaN(valueAsNumber) ? null : valueAsNumber)}
      {...rest}
    />
  );
}
