import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../texts/index.ts';
import { useNow } from '../ui/Time.tsx';
import type { LinkFilters } from './filters.ts';
import { LinkRow } from './LinkRow.tsx';
import styles from './LinkTable.module.css';
import { LinkTableHead } from './LinkTableHead.tsx';
import type { ListLook } from './listLook.ts';
import type { Selecting } from './selection.ts';
import { useLinkCurves } from './useLinkCurves.ts';
import type { LinkRowData } from './useLinkList.ts';

export type RowAction = 'open' | 'copy' | 'menu' | 'select';

interface LinkTableProps {
  projectId: string;
  rows: readonly LinkRowData[];
  /** All that the filters find, if known. */
  total: number | null;
  rowHeight: number;
  look: ListLook;
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
  selecting: Selecting;
  hrefOf: (link: LinkRowData) => string;
  onAction: (action: RowAction, index: number, element: HTMLElement, isRange: boolean) => void;
  /** The last rows come into view. */
  onEnd: () => void;
  isDimmed: boolean;
  /** Scrolls to a row and focuses it, for the keyboard. */
  focus: { index: number } | null;
}

/** Rows before the end at which the next page is asked for. */
const AHEAD = 20;
const OVERSCAN = 8;
const NOW_MS = 60_000;
/** The header and the heads of the columns, below which a focused row must be. */
const STICKY_PX = 100;

/** The list of links. Only rows in view are on the page, however many there are. */
export function LinkTable({
  projectId,
  rows,
  total,
  rowHeight,
  look,
  filters,
  setFilters,
  selecting,
  hrefOf,
  onAction,
  onEnd,
  isDimmed,
  focus,
}: LinkTableProps) {
  const ref = useRef<HTMLDivElement>(null);
  const now = useNow(NOW_MS);
  const [top, setTop] = useState(0);
  // What stands above the table may grow or go: a line of blocked links, filters that wrap.
  useLayoutEffect(() => {
    const measure = () => setTop((ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: STICKY_PX,
  });
  useLayoutEffect(() => {
    // Rows of another height are measured anew.
    if (rowHeight) virtualizer.measure();
  }, [rowHeight, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const curves = useLinkCurves({ projectId, rows, first, last, isShown: !look.hidden.includes('clicks') });
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) onEnd();
  }, [last, rows.length, onEnd]);
  useEffect(() => {
    if (!focus) return;
    virtualizer.scrollToIndex(focus.index);
    requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>(`a[data-index="${focus.index}"]`)?.focus({ preventScroll: true }),
    );
  }, [focus, virtualizer]);
  const handle = (event: MouseEvent<HTMLDivElement>) => {
    const element = (event.target as Element).closest<HTMLElement>('[data-action]');
    if (!element || event.metaKey || event.ctrlKey || event.button !== 0) return;
    const action = element.dataset.action as RowAction;
    if (action !== 'select') event.preventDefault();
    onAction(action, Number(element.dataset.index), element, event.shiftKey);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of links, buttons and checkboxes inside, which have keys
    <div
      role="table"
      aria-label={t.links.title}
      aria-rowcount={(total ?? rows.length) + 1}
      className={styles.table}
      data-hidden={look.hidden.join(' ')}
      onClick={handle}
    >
      <LinkTableHead count={rows.length} selecting={selecting} filters={filters} setFilters={setFilters} />
      <div
        ref={ref}
        role="rowgroup"
        className={styles.body}
        data-dimmed={isDimmed || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start, key }) => {
          const link = rows[index];
          if (!link) return null;
          const isSelected = selecting.isSelected(link.id);
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={styles.row}
              data-selected={isSelected || undefined}
              style={{ height: rowHeight, transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              <LinkRow
                link={link}
                index={index}
                isSelected={isSelected}
                now={now}
                href={hrefOf(link)}
                curve={curves.get(link.id)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
