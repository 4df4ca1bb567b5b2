import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { formatCount } from '../kernel/numbers.ts';
import { useAsk } from '../kernel/queries.ts';
import { LinkSelect } from '../links/public.ts';
import { t } from '../texts/index.ts';
import { type InstallSearch, isFiltered, METHODS, NO_FILTERS, PLATFORMS, type variablesOf } from './installSearch.ts';

/** How many there are of each, under all other filters. */
const COUNTS = graphql(`
  query InstallCounts(
    $projectId: ID!
    $platform: AppPlatform
    $method: MatchMethod
    $isMatched: Boolean
    $search: String
    $linkId: ID
  ) {
    methods: installCount(
      projectId: $projectId
      groupBy: method
      platform: $platform
      isMatched: $isMatched
      search: $search
      linkId: $linkId
    ) {
      key
      count
    }
    platforms: installCount(
      projectId: $projectId
      groupBy: platform
      method: $method
      isMatched: $isMatched
      search: $search
      linkId: $linkId
    ) {
      key
      count
    }
  }
`);

interface InstallFiltersProps {
  search: InstallSearch;
  variables: ReturnType<typeof variablesOf> & { projectId: string };
  onFilter: (changed: InstallSearch) => void;
}

/** The filters above the list, with how many installs each way of matching has. All are in the address at once. */
export function InstallFilters({ search, variables, onFilter }: InstallFiltersProps) {
  const { installs, setup } = t.apps;
  const { data } = useAsk({ about: 'apps', document: COUNTS, variables });
  const countOf = (groups: Counts, key: string) => groups?.find((group) => group.key === key)?.count ?? 0;
  const named = (groups: Counts, key: string, name: string) =>
    groups ? installs.counted(name, formatCount(countOf(groups, key))) : name;
  const all = data?.methods.reduce((sum, { count }) => sum + count, 0);
  const shown = METHODS.filter((method) => method === variables.method || countOf(data?.methods, method) > 0);
  const chosen = (isChosen: boolean) => ({ variant: isChosen ? 'light' : 'default', 'aria-pressed': isChosen });
  return (
    <Stack>
      <Group component="fieldset" gap="xs" aria-label={installs.methods}>
        <Button
          size="compact-sm"
          {...chosen(variables.method === null)}
          onClick={() => onFilter({ method: undefined })}
        >
          {all === undefined ? installs.all : installs.counted(installs.all, formatCount(all))}
        </Button>
        {shown.map((method) => (
          <Button
            key={method}
            size="compact-sm"
            {...chosen(variables.method === method)}
            onClick={() => onFilter({ method: variables.method === method ? undefined : method })}
          >
            {named(data?.methods, method, t.link.installs.methods[method])}
          </Button>
        ))}
      </Group>
      <Group align="flex-end">
        <Select
          label={installs.platform}
          clearable
          placeholder={installs.any}
          data={PLATFORMS.map((value) => ({ value, label: named(data?.platforms, value, setup.platforms[value]) }))}
          value={variables.platform}
          onChange={(platform) => onFilter({ platform: platform ?? undefined })}
        />
        <Select
          label={installs.matched}
          clearable
          placeholder={installs.any}
          data={[
            { value: 'true', label: t.common.yes },
            { value: 'false', label: t.common.no },
          ]}
          value={variables.isMatched === null ? null : String(variables.isMatched)}
          onChange={(matched) => onFilter({ matched: matched ?? undefined })}
        />
        <LinkSelect
          isFilter
          linkId={variables.linkId ?? ''}
          error={undefined}
          onChange={(link) => onFilter({ link: link || undefined })}
        />
        <IdField value={search.search ?? ''} onSearch={(text) => onFilter({ search: text || undefined })} />
        {isFiltered(search) ? (
          <Button variant="subtle" onClick={() => onFilter(NO_FILTERS)}>
            {installs.clear}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}

type Counts = readonly { key: string | null; count: number }[] | undefined;

const SEARCH_MS = 250;
/** The server takes no longer ones. */
const LONGEST = 100;

function IdField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  // What the field itself has asked for: everything else came by the address or a button, and is shown here.
  const asked = useRef(value);
  const searchLater = useDebouncedCallback((typed: string) => {
    asked.current = typed;
    onSearch(typed);
  }, SEARCH_MS);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      type="search"
      label={t.apps.installs.search}
      placeholder={t.apps.installs.searchHint}
      spellCheck={false}
      autoComplete="off"
      maxLength={LONGEST}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        searchLater(currentTarget.value.trim());
      }}
      miw={260}
    />
  );
}
