import { Button, Group, MultiSelect, SegmentedControl, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ANALYTICS_DIMENSIONS, type AnalyticsDimension } from '../kernel/addresses.ts';
import { countryOptions } from '../kernel/countryOptions.ts';
import { formatCount } from '../kernel/numbers.ts';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { nameOf } from './names.ts';
import { VALUES } from './operations.ts';
import { type commonVariables, type Filter, withoutFilter } from './query.ts';
import { keyOf, writtenValue } from './values.ts';

interface FilterDialogProps {
  isOpen: boolean;
  /** The one that is changed; null: a new one. */
  filter: Filter | null;
  /** Of the page: its values are offered. */
  variables: ReturnType<typeof commonVariables>;
  onClose: () => void;
  onApply: (filter: Filter) => void;
}

/** What to filter by, and with which values: those of the range are offered with their counts, and others can be written. */
export function FilterDialog({ isOpen, filter, variables, onClose, onApply }: FilterDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={filter ? t.analytics.changeFilter : t.analytics.addFilter}>
      <FilterForm
        filter={filter}
        variables={variables}
        onApply={(changed) => {
          onClose();
          onApply(changed);
        }}
      />
    </Dialog>
  );
}

function FilterForm({ filter, variables, onApply }: Pick<FilterDialogProps, 'filter' | 'variables' | 'onApply'>) {
  const [dimension, setDimension] = useState<AnalyticsDimension>(filter?.dimension ?? 'country');
  const [values, setValues] = useState<string[]>(filter?.values ?? []);
  const [isExcluding, setIsExcluding] = useState(filter?.isExcluding ?? false);
  const [written, setWritten] = useState('');
  const [isListOpen, setIsListOpen] = useState(false);
  const { options, isPending } = useOptions(dimension, variables, values, written.trim());
  // The list of values would lie over the button.
  const choose = (chosen: string[]) => {
    setIsListOpen(false);
    setValues(chosen);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ dimension, values, isExcluding });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={t.analytics.dimension}
          searchable
          data={ANALYTICS_DIMENSIONS.map((value) => ({ value, label: t.analytics.dimensions[value] }))}
          value={dimension}
          disabled={filter !== null}
          onChange={(value) => {
            if (value === null) return;
            setDimension(value as AnalyticsDimension);
            setValues([]);
          }}
        />
        <SegmentedControl
          aria-label={t.analytics.switch}
          value={isExcluding ? 'not' : 'is'}
          onChange={(value) => setIsExcluding(value === 'not')}
          data={[
            { value: 'is', label: t.analytics.includes },
            { value: 'not', label: t.analytics.excludes },
          ]}
        />
        <MultiSelect
          label={t.analytics.values}
          placeholder={values.length === 0 ? t.analytics.searchValues : undefined}
          nothingFoundMessage={isPending ? t.common.loading : t.analytics.nothingFound}
          data={options}
          searchable
          searchValue={written}
          onSearchChange={setWritten}
          maxDropdownHeight={260}
          limit={200}
          value={values}
          onChange={choose}
          openOnFocus={false}
          dropdownOpened={isListOpen}
          onDropdownOpen={() => setIsListOpen(true)}
          onDropdownClose={() => setIsListOpen(false)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={values.length === 0}>
            {t.analytics.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Option {
  value: string;
  label: string;
}

/** The values of the range, most frequent first, then those that are known besides, and what is being written. */
function useOptions(
  dimension: AnalyticsDimension,
  variables: FilterDialogProps['variables'],
  chosen: readonly string[],
  written: string,
): { options: Option[]; isPending: boolean } {
  const { data, isPending } = useAsk({
    about: 'analytics',
    document: VALUES,
    variables: { ...withoutFilter(variables, dimension), groupBy: dimension, limit: 1000 },
    keepsEarlier: false,
  });
  const found = (data?.analytics.data ?? []).map(({ key, label, count }) => ({
    value: writtenValue(key),
    label: `${nameOf(dimension, key, label)} (${formatCount(count)})`,
  }));
  const options = new Map(found.map((option) => [option.value, option]));
  for (const option of [...knownOptions(dimension), ...chosen.map((value) => optionOf(dimension, value))])
    if (!options.has(option.value)) options.set(option.value, option);
  const typed = writtenValue(written);
  const isNew = written !== '' && !options.has(typed) && isFree(dimension);
  return {
    options: [...options.values(), ...(isNew ? [{ value: typed, label: t.analytics.useWritten(written) }] : [])],
    isPending,
  };
}

function optionOf(dimension: AnalyticsDimension, value: string): Option {
  return { value, label: nameOf(dimension, keyOf(value)) };
}

/** Values that there are at all. */
function knownOptions(dimension: AnalyticsDimension): Option[] {
  const entries = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
  if (dimension === 'country') return countryOptions();
  if (dimension === 'platform') return entries(t.states.platforms);
  if (dimension === 'device') return entries(t.states.devices);
  if (dimension === 'traffic_class') return entries(t.link.clicks.classes);
  return [];
}

/** Whether any text can be a value. Links and tags must be there, and the others are lists. */
function isFree(dimension: AnalyticsDimension): boolean {
  return knownOptions(dimension).length === 0 && dimension !== 'link' && dimension !== 'tag';
}
