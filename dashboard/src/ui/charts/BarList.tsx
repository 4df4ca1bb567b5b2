import { Menu } from '@mantine/core';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { formatCount, formatExact, formatShare } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { IconCheck, IconClose, IconMore } from '../icons.ts';
import styles from './BarList.module.css';

export interface Bar {
  /** What it is filtered by; null: nothing can be, because it stands for others. */
  key: string | null;
  name: string;
  count: number;
}

interface BarListProps {
  bars: readonly Bar[];
  /** Of which the bars are shares. */
  total: number;
  onFilter: (key: string, isExcluding: boolean) => void;
  /** Whether the share of each row is written beside its count. */
  hasShares?: boolean;
  /** More that the menu of a row offers. */
  menuItems?: (key: string) => ReactNode;
}

/** Rows with bars: a click shows only one, Alt and a click, or its menu, all but it. */
export function BarList({ bars, total, onFilter, hasShares = false, menuItems }: BarListProps) {
  const [opened, setOpened] = useState<{ value: string; name: string; anchor: HTMLElement } | null>(null);
  const most = Math.max(...bars.map(({ count }) => count), 1);
  return (
    <>
      <ul className={styles.list}>
        {bars.map(({ key, name, count }, index) => (
          // A value may have the name of the row of others.
          <li key={key ?? `none ${index}`} className={styles.row}>
            <span className={styles.bar} style={{ width: `${(100 * count) / most}%` }} aria-hidden />
            {key === null ? (
              <span className={styles.name} title={name}>
                {name}
              </span>
            ) : (
              <button
                type="button"
                className={styles.name}
                title={t.analytics.row.filter(name)}
                onClick={(event: MouseEvent) => onFilter(key, event.altKey)}
              >
                {name}
              </button>
            )}
            <span className={styles.count} title={`${formatExact(count)} · ${formatShare(count / Math.max(total, 1))}`}>
              {hasShares ? <span className={styles.share}>{formatShare(count / Math.max(total, 1))}</span> : null}
              {formatCount(count)}
            </span>
            {key === null ? (
              <span className={styles.more} />
            ) : (
              <button
                type="button"
                className={styles.more}
                aria-label={t.analytics.row.actions(name)}
                aria-haspopup="menu"
                onClick={({ currentTarget }) => setOpened({ value: key, name, anchor: currentTarget })}
              >
                <IconMore size={14} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {opened ? (
        <RowMenu {...opened} onClose={() => setOpened(null)} onFilter={onFilter}>
          {menuItems?.(opened.value)}
        </RowMenu>
      ) : null}
    </>
  );
}

interface RowMenuProps {
  value: string;
  name: string;
  anchor: HTMLElement;
  onClose: () => void;
  onFilter: BarListProps['onFilter'];
  children: ReactNode;
}

/** What can be done with a row: one menu for the whole list. */
function RowMenu({ value, name, anchor, onClose, onFilter, children }: RowMenuProps) {
  const { left, top, width, height } = anchor.getBoundingClientRect();
  const close = () => {
    onClose();
    anchor.focus({ preventScroll: true });
  };
  return (
    <Menu opened onClose={close} position="bottom-end" width={240} returnFocus={false} trapFocus>
      <Menu.Target>
        <div style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t.analytics.row.actions(name)}>
        <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => onFilter(value, false)}>
          {t.analytics.row.only}
        </Menu.Item>
        <Menu.Item leftSection={<IconClose size={16} />} onClick={() => onFilter(value, true)}>
          {t.analytics.row.exclude}
        </Menu.Item>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
