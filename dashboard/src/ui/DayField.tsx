import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

/** While a year is typed, its first digits are years of long ago. */
const FIRST_YEAR = '1970';

interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `2026-11-24`; empty: none. */
  day: string;
  /** Hears each whole day, and an empty text when it is taken away. */
  onDay: (day: string) => void;
}

/**
 * A day that is applied at once. What is typed is kept here: a value that comes back from the address a moment later would throw
 * out the digits that were typed meanwhile.
 */
export function DayField({ day, onDay, ...rest }: DayFieldProps) {
  const [typed, setTyped] = useState(day);
  const [known, setKnown] = useState(day);
  if (day !== known) {
    setKnown(day);
    setTyped(day);
  }
  const change = (value: string) => {
    setTyped(value);
    if (value === '' || value >= FIRST_YEAR) onDay(value);
  };
  return (
    <TextInput
      {...rest}
      type="date"
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setTyped(day)}
    />
  );
}
