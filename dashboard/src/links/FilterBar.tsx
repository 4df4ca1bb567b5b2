import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/index.ts';
import { IconChevronDown, IconClose } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import { CreatedFilter } from './CreatedFilter.tsx';
import { CreateFromSearch } from './CreateFromSearch.tsx';
import { FacetMenu } from './FacetMenu.tsx';
import styles from './FilterBar.module.css';
import { isFiltered, type LinkFilters, NO_FILTERS, sortVariables } from './filters.ts';
import { MoreFilters } from './MoreFilters.tsx';
import { pastedAddresses } from './pastedAddresses.ts';
import { SearchField } from './SearchField.tsx';
import { TagFilter } from './TagFilter.tsx';
import type { useLinkFacets } from './useLinkList.ts';
import { ViewOptions } from './ViewOptions.tsx';

interface FilterBarProps {
  projectId: string;
  filters: LinkFilters;
  facets: ReturnType<typeof useLinkFacets>;
  setFilters: (changed: LinkFilters) => void;
}

/** Search, filters with their counts, the order of the list, and how it looks. */
export function FilterBar({ projectId, filters, facets, setFilters }: FilterBarProps) {
  const [several, setSeveral] = useState<string[]>([]);
  // Counts what was created from the field, which is empty afterwards.
  const [created, setCreated] = useState(0);
  const { filters: words } = t.links;
  const addresses = several.length > 0 ? several : pastedAddresses(filters.search ?? '');
  return (
    <>
      <div className={styles.bar}>
        <SearchField
          key={created}
          search={filters.search ?? ''}
          onSearch={(search) => setFilters({ search: search || undefined })}
          onAddresses={setSeveral}
        />
        <FacetMenu
          label={words.status}
          value={filters.status ? (statusWords(filters.status) ?? null) : null}
          chosen={filters.status}
          options={(facets?.statuses ?? []).map(({ key, count }) => ({
            value: key ?? '',
            label: statusWords(key ?? '') ?? key ?? '',
            count,
          }))}
          onChoose={(status) => setFilters({ status })}
        />
        <TagFilter filters={filters} tags={facets?.tags ?? []} setFilters={setFilters} />
        {(facets?.domains.length ?? 0) > 1 || filters.domain ? (
          <FacetMenu
            label={words.domain}
            value={filters.domain ?? null}
            chosen={filters.domain}
            options={(facets?.domains ?? []).map(({ key, count }) => ({ value: key ?? '', label: key ?? '', count }))}
            onChoose={(domain) => setFilters({ domain })}
          />
        ) : null}
        <CreatedFilter filters={filters} setFilters={setFilters} />
        <MoreFilters projectId={projectId} filters={filters} setFilters={setFilters} />
        <SortMenu filters={filters} setFilters={setFilters} />
        <ViewOptions />
        {isFiltered(filters) ? (
          <Button variant="subtle" leftSection={<IconClose size={14} />} onClick={() => setFilters(NO_FILTERS)}>
            {t.links.clearFilters}
          </Button>
        ) : null}
      </div>
      <CreateFromSearch
        addresses={addresses}
        projectId={projectId}
        onCreated={(batchId) => {
          setSeveral([]);
          setCreated(created + 1);
          setFilters({ ...NO_FILTERS, batch_id: batchId });
        }}
      />
    </>
  );
}

function statusWords(status: string): string | undefined {
  return t.states.link[status as keyof typeof t.states.link];
}

const SORTED = {
  created_desc: { sort: 'created_at', order: 'desc' },
  created_asc: { sort: 'created_at', order: 'asc' },
  clicks_desc: { sort: 'clicks', order: 'desc' },
  clicks_asc: { sort: 'clicks', order: 'asc' },
  last_clicked_desc: { sort: 'last_clicked_at', order: 'desc' },
  last_clicked_asc: { sort: 'last_clicked_at', order: 'asc' },
} as const satisfies Record<keyof typeof t.links.sorts, LinkFilters>;

function SortMenu({ filters, setFilters }: Pick<FilterBarProps, 'filters' | 'setFilters'>) {
  const current = sortVariables(filters);
  const sorts = Object.keys(SORTED) as (keyof typeof SORTED)[];
  const chosen = sorts.find((name) => SORTED[name].sort === current.sort && SORTED[name].order === current.order);
  return (
    <Menu position="bottom-end" width={240} keepMounted={false}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${t.links.filters.sort}: ${t.links.sorts[chosen ?? 'created_desc']}`}
        >
          {t.links.sorts[chosen ?? 'created_desc']}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.links.filters.sort}</Menu.Label>
        {sorts.map((name) => (
          <MenuChoice key={name} isChosen={name === chosen} onChoose={() => setFilters(SORTED[name])}>
            {t.links.sorts[name]}
          </MenuChoice>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
