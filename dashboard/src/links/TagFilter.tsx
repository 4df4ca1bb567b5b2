import { Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import { FilterButton } from './FacetMenu.tsx';
import styles from './FilterBar.module.css';
import { type LinkFilters, tagsOf, tagsText } from './filters.ts';

interface TagFilterProps {
  filters: LinkFilters;
  /** Tags of the links found, with their numbers; null stands for links without tags. */
  tags: readonly { key: string | null; count: number }[];
  setFilters: (changed: LinkFilters) => void;
}

/** From so many tags on, they can be searched. */
const SEARCHED_FROM = 10;

/** Links with any or all of some tags, or without tags. */
export function TagFilter({ filters, tags, setFilters }: TagFilterProps) {
  const { filters: words } = t.links;
  const [search, setSearch] = useState('');
  const chosen = filters.tag ? tagsOf(filters.tag) : [];
  const isUntagged = filters.untagged === 'true';
  const mode = filters.tag_mode === 'all' ? 'all' : 'any';
  const value = isUntagged ? words.untagged : chosen.length > 0 ? chosen.join(mode === 'all' ? ' + ' : ', ') : null;
  const named = tags.flatMap(({ key, count }) => (key === null ? [] : [{ name: key, count }]));
  // A chosen tag stays, to be taken back, even if no link has it.
  const missing = chosen.filter((name) => !named.some((tag) => tag.name === name));
  const shown = [...missing.map((name) => ({ name, count: 0 })), ...named].filter(({ name }) =>
    name.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    setFilters({ tag: next.length > 0 ? tagsText(next) : undefined, untagged: undefined });
  };
  const untaggedCount = tags.find(({ key }) => key === null)?.count;
  return (
    <Popover position="bottom-start" width={260} trapFocus returnFocus keepMounted={false}>
      <Popover.Target>
        <FilterButton label={words.tag} value={value} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.tag} className={styles.panel}>
        {named.length > SEARCHED_FROM ? (
          <TextInput
            aria-label={words.findTag}
            placeholder={words.findTag}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {chosen.length > 1 ? (
          <fieldset className={styles.modes}>
            <legend className="visually-hidden">{words.tag}</legend>
            {(['any', 'all'] as const).map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="tag-mode"
                  checked={mode === one}
                  onChange={() => setFilters({ tag_mode: one === 'all' ? 'all' : undefined })}
                />
                {one === 'any' ? words.anyTag : words.allTags}
              </label>
            ))}
          </fieldset>
        ) : null}
        <fieldset className={styles.checks}>
          <legend className="visually-hidden">{words.tag}</legend>
          <label>
            <input
              type="checkbox"
              checked={isUntagged}
              onChange={() =>
                setFilters({ tag: undefined, tag_mode: undefined, untagged: isUntagged ? undefined : 'true' })
              }
            />
            <span>{words.untagged}</span>
            {untaggedCount === undefined ? null : <span className={styles.count}>{formatCount(untaggedCount)}</span>}
          </label>
          {shown.map(({ name, count }) => (
            <label key={name}>
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
              <span title={name}>{name}</span>
              <span className={styles.count}>{formatCount(count)}</span>
            </label>
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
