import { Input } from '@mantine/core';
import { useId } from 'react';
import { IconChevronDown } from '../ui/icons.ts';

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChoose: (value: string) => void;
}

/** One of a few, by the browser's own list: Mantine's `NativeSelect` would load what its other lists need. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <Input.Wrapper label={label} id={id}>
      <Input
        component="select"
        id={id}
        pointer
        value={value}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Input>
    </Input.Wrapper>
  );
}
