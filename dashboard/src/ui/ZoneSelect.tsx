import { Select, type SelectProps } from '@mantine/core';

interface ZoneSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value: string;
  onChange: (zone: string) => void;
}

/** One of the time zones that the browser knows, found by typing a part of its name. */
export function ZoneSelect({ value, onChange, ...rest }: ZoneSelectProps) {
  return (
    <Select
      searchable
      limit={50}
      // A zone may have a second name, such as Asia/Kolkata, which the browser does not list.
      data={[...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      {...rest}
    />
  );
}
