import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { t } from '../texts/index.ts';
import { IconSearch } from '../ui/icons.ts';
import styles from './FilterBar.module.css';
import { LONGEST_SEARCH } from './filters.ts';
import { pastedAddresses } from './pastedAddresses.ts';

interface SearchFieldProps {
  /** What is searched for. */
  search: string;
  onSearch: (search: string) => void;
  /** Several addresses are no search: somebody wants links to them. */
  onAddresses: (addresses: string[]) => void;
}

const SEARCH_MS = 250;

/** Searches while somebody writes. */
export function SearchField({ search, onSearch, onAddresses }: SearchFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  // What the field itself has asked for: everything else came by the address or a button, and is shown here.
  const asked = useRef(search);
  const searchLater = useDebouncedCallback((value: string) => {
    asked.current = value;
    onSearch(value);
  }, SEARCH_MS);
  useEffect(() => {
    if (search === asked.current) return;
    asked.current = search;
    setText(search);
  }, [search]);
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      ref.current?.focus();
    },
  });
  const change = (value: string) => {
    setText(value);
    const addresses = pastedAddresses(value);
    onAddresses(addresses.length > 1 ? addresses : []);
    searchLater(addresses.length > 1 ? '' : value.trim().slice(0, LONGEST_SEARCH));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    // A field of one line would join addresses that stood on lines of their own.
    if (pastedAddresses(pasted).length < 2) return;
    event.preventDefault();
    change(pasted.trim().replace(/\s+/g, ' '));
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') ref.current?.blur();
  };
  return (
    <TextInput
      ref={ref}
      type="search"
      className={styles.search}
      leftSection={<IconSearch size={16} aria-hidden />}
      placeholder={t.links.search}
      aria-label={t.links.search}
      value={text}
      onKeyDown={leave}
      onPaste={paste}
      onChange={({ currentTarget: { value } }) => change(value)}
    />
  );
}
