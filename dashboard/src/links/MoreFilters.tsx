import { Popover } from '@mantine/core';
import { t } from '../texts/index.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { FilterButton } from './FacetMenu.tsx';
import styles from './FilterBar.module.css';
import type { MoreFiltersProps } from './MoreFilterFields.tsx';

const Fields = onDemand(() => import('./MoreFilterFields.tsx').then(({ MoreFilterFields }) => MoreFilterFields), {
  fallback: <LoadingRows rows={2} />,
});

/** Filters that few people need: who created the links, and whether they have rules. */
export function MoreFilters(props: MoreFiltersProps) {
  const { filters } = props;
  const { filters: words } = t.links;
  const count = [filters.created_by, filters.has_routing, filters.batch_id].filter(Boolean).length;
  return (
    <Popover position="bottom-start" width={280} trapFocus returnFocus keepMounted={false}>
      <Popover.Target>
        <FilterButton label={words.more} value={count > 0 ? String(count) : null} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.more} className={styles.panel}>
        <Fields {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}
