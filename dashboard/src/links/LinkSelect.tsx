import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { shortAddress } from '../kernel/addresses.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';

const LINK_CHOICES = graphql(`
  query LinkChoices($projectId: ID!, $search: String) {
    links(projectId: $projectId, search: $search, limit: 20) {
      data {
        id
        shortUrl
      }
    }
  }
`);

const CHOSEN_LINK = graphql(`
  query ChosenLink($id: ID!) {
    link(id: $id) {
      id
      shortUrl
    }
  }
`);

const DEBOUNCE_MS = 250;

interface LinkSelectProps {
  linkId: string;
  error: string | undefined;
  /** It may be left empty, and cleared again. */
  isFilter?: boolean;
  onChange: (linkId: string) => void;
}

/** One of the links of the project, found by what is typed. */
export function LinkSelect({ linkId, error, isFilter = false, onChange }: LinkSelectProps) {
  const projectId = useProjectId();
  const [search, setSearch] = useState('');
  const [wasOpened, setWasOpened] = useState(false);
  const [asked] = useDebouncedValue(search.trim(), DEBOUNCE_MS);
  const chosen = useAsk({ about: 'links', document: CHOSEN_LINK, variables: { id: linkId }, isEnabled: linkId !== '' });
  const chosenLink = linkId ? chosen.data?.link : undefined;
  // The field holds the name of the chosen link, by which nothing needs to be found.
  const isChosen = chosenLink !== undefined && asked === shortAddress(chosenLink.shortUrl);
  const found = useAsk({
    about: 'links',
    document: LINK_CHOICES,
    variables: { projectId, search: isChosen ? null : asked || null },
    isEnabled: wasOpened,
  });
  const links = new Map((found.data?.links.data ?? []).map((link) => [link.id, link]));
  if (chosenLink) links.set(chosenLink.id, chosenLink);
  // A deleted link is chosen still.
  else if (linkId && chosen.isError) links.set(linkId, { id: linkId, shortUrl: linkId });
  const { choose } = t.links;
  return (
    <Select
      label={choose.label}
      placeholder={choose.search}
      required={!isFilter}
      clearable={isFilter}
      searchable
      data={[...links.values()].map(({ id, shortUrl }) => ({ value: id, label: shortAddress(shortUrl) }))}
      // The server has searched already, in titles and destinations too.
      filter={({ options }) => options}
      nothingFoundMessage={choose.none}
      value={linkId || null}
      error={error}
      searchValue={search}
      onSearchChange={setSearch}
      onDropdownOpen={() => setWasOpened(true)}
      onChange={(chosenId) => onChange(chosenId ?? '')}
    />
  );
}
