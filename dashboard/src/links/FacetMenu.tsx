import { Button, Menu } from '@mantine/core';
import { formatCount } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import styles from './FilterBar.module.css';

interface FacetMenuProps {
  label: string;
  /** The chosen one, in words; null: all. */
  value: string | null;
  options: readonly { value: string; label: string; count?: number }[];
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}

/** A filter of which one value can be chosen, with the number of links that each would find. */
export function FacetMenu({ label, value, options, chosen, onChoose }: FacetMenuProps) {
  const item = (key: string | undefined, text: string, count?: number) => (
    <MenuChoice
      key={key ?? ''}
      isChosen={key === chosen}
      onChoose={() => onChoose(key)}
      className={styles.option}
      rightSection={count === undefined ? null : <span className={styles.count}>{formatCount(count)}</span>}
    >
      {text}
    </MenuChoice>
  );
  return (
    <Menu position="bottom-start" width={240} keepMounted={false}>
      <Menu.Target>
        <FilterButton label={label} value={value} />
      </Menu.Target>
      <Menu.Dropdown className={styles.options}>
        {item(undefined, t.links.filters.all)}
        {options.map((option) => item(option.value, option.label, option.count))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The button of a filter, which says what is chosen. Given to `Menu.Target` or `Popover.Target`, it opens that. */
export function FilterButton({ label, value, ...rest }: { label: string; value: string | null }) {
  return (
    <Button
      variant={value === null ? 'default' : 'light'}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      className={styles.facet}
      title={value ?? undefined}
      {...rest}
    >
      {value === null ? label : `${label}: ${value}`}
    </Button>
  );
}
