import { Button, Popover } from '@mantine/core';
import { t } from '../texts/index.ts';
import { IconChevronDown, IconTable } from '../ui/icons.ts';
import styles from './FilterBar.module.css';
import { COLUMNS, setCompact, setHidden, useListLook } from './listLook.ts';

/** Which columns the list has and how high its rows are, kept for the next visit. */
export function ViewOptions() {
  const { isCompact, hidden } = useListLook();
  const { columns } = t.links;
  const names = {
    state: columns.state,
    tags: columns.tags,
    clicks: columns.clicks,
    last: columns.lastClick,
    created: columns.created,
  };
  return (
    <Popover position="bottom-end" width={220} trapFocus returnFocus keepMounted={false}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconTable size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          className={styles.view}
        >
          {columns.shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={columns.shown} className={styles.panel}>
        <fieldset className={styles.checks}>
          <legend>{columns.columns}</legend>
          {COLUMNS.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={!hidden.includes(name)}
                onChange={(event) => setHidden(name, !event.currentTarget.checked)}
              />
              <span>{names[name]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.checks}>
          <legend>{columns.rows}</legend>
          <label>
            <input type="checkbox" checked={isCompact} onChange={(event) => setCompact(event.currentTarget.checked)} />
            <span>{columns.compact}</span>
          </label>
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
