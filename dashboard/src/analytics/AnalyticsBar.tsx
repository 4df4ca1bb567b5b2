import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import { IconClose, IconPlus } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import styles from './analytics.module.css';
import { ChoiceMenu } from './ChoiceMenu.tsx';
import { nameOf } from './names.ts';
import {
  type AnalyticsSearch,
  type commonVariables,
  comparesOf,
  EVENTS,
  type Filter,
  filtersOf,
  filterText,
  TRAFFICS,
} from './query.ts';
import { RangeChoice, ZoneChoice } from './RangeChoice.tsx';
import { keyOf } from './values.ts';

const FilterDialog = dialogOnDemand(
  () => import('./FilterDialog.tsx').then(({ FilterDialog }) => FilterDialog),
  ({ isOpen }) => isOpen,
);

interface AnalyticsBarProps {
  search: AnalyticsSearch;
  variables: ReturnType<typeof commonVariables>;
  /** What the range covers; null: not known yet. */
  dates: string | null;
  /** Clicks of each kind of visitor, `all` included; null: not known yet. */
  counts: ReadonlyMap<string, number> | null;
  onSearch: (changed: AnalyticsSearch) => void;
  onClear: () => void;
}

/** Range, what is counted, and the filters as chips. */
export function AnalyticsBar(props: AnalyticsBarProps) {
  const { search, variables, dates, counts, onSearch, onClear } = props;
  const [isFilterOpen, setIsFilterOpen] = useState(false);
  const [edited, setEdited] = useState<Filter | null>(null);
  const filters = filtersOf(search);
  const edit = (filter: Filter | null) => {
    setEdited(filter);
    setIsFilterOpen(true);
  };
  return (
    <div className={styles.bar}>
      <RangeChoice search={search} dates={dates} onSearch={onSearch} />
      <ChoiceMenu
        label={t.analytics.event}
        value={variables.event}
        choices={EVENTS.map((value) => ({ value, name: t.analytics.events[value] }))}
        onChoose={(value) => onSearch({ event: value === 'click' ? undefined : value })}
      />
      {variables.event === 'click' && !search.traffic_class ? (
        <ChoiceMenu
          label={t.analytics.traffic}
          value={variables.traffic}
          choices={TRAFFICS.map((value) => ({
            value,
            name: t.analytics.traffics[value],
            count: counts ? formatCount(counts.get(value) ?? 0) : undefined,
          }))}
          onChoose={(value) => onSearch({ traffic: value === 'human' ? undefined : value })}
        />
      ) : null}
      {filters.map((filter) => (
        <FilterChip
          key={filter.dimension}
          filter={filter}
          onEdit={() => edit(filter)}
          onRemove={() => onSearch({ [filter.dimension]: undefined })}
        />
      ))}
      <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => edit(null)}>
        {t.analytics.addFilter}
      </Button>
      {filters.length > 0 ? (
        <Button variant="subtle" leftSection={<IconClose size={14} />} onClick={onClear}>
          {t.analytics.clearFilters}
        </Button>
      ) : null}
      <span className={styles.end}>
        <Checkbox
          label={t.analytics.compare}
          checked={comparesOf(search)}
          onChange={({ currentTarget }) => onSearch({ compare: currentTarget.checked ? undefined : 'false' })}
        />
        <ZoneChoice search={search} onSearch={onSearch} />
      </span>
      <FilterDialog
        isOpen={isFilterOpen}
        filter={edited}
        variables={variables}
        onClose={() => setIsFilterOpen(false)}
        onApply={(filter) => onSearch({ [filter.dimension]: filterText(filter) })}
      />
    </div>
  );
}

interface FilterChipProps {
  filter: Filter;
  onEdit: () => void;
  onRemove: () => void;
}

function FilterChip({ filter: { dimension, values, isExcluding }, onEdit, onRemove }: FilterChipProps) {
  const what = t.analytics.dimensions[dimension];
  const names = values.map((value) => nameOf(dimension, keyOf(value))).join(', ');
  const text = (isExcluding ? t.analytics.isNot : t.analytics.is)(what, names);
  return (
    <span className={styles.chip}>
      <button type="button" onClick={onEdit} title={text}>
        {text}
      </button>
      <button type="button" onClick={onRemove} aria-label={t.analytics.removeFilter(text)}>
        <IconClose size={14} aria-hidden />
      </button>
    </span>
  );
}
