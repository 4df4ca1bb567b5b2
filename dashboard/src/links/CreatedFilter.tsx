import { Button, Group, Popover } from '@mantine/core';
import { formatDate, timezone } from '../kernel/times.ts';
import { dayIn, startOfDay } from '../kernel/zones.ts';
import { t } from '../texts/index.ts';
import { DayField } from '../ui/DayField.tsx';
import { FilterButton } from './FacetMenu.tsx';
import styles from './FilterBar.module.css';
import type { LinkFilters } from './filters.ts';

const DAYS = [1, 7, 30, 90];
const DAY_MS = 86_400_000;

/** When the links were created: the last days, or from one day to another in the zone of the page. */
export function CreatedFilter({
  filters,
  setFilters,
}: {
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
}) {
  const { filters: words } = t.links;
  const zone = timezone();
  const from = dayOf(filters.created_after);
  // The end is exclusive; the last day that is meant is the one before.
  const to = filters.created_before ? dayOf(filters.created_before, -1) : '';
  const setDay = (name: 'created_after' | 'created_before', day: string) => {
    const start = startOfDay(zone, day);
    const time = Number.isNaN(start) ? null : name === 'created_after' ? start : startOfDay(zone, nextDay(day));
    setFilters({ [name]: time === null ? undefined : new Date(time).toISOString() });
  };
  return (
    <Popover position="bottom-start" width={280} trapFocus returnFocus keepMounted={false}>
      <Popover.Target>
        <FilterButton label={words.created} value={wordsOf(filters)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.created} className={styles.panel}>
        <Group gap={6}>
          {DAYS.map((days) => (
            <Button
              key={days}
              size="compact-sm"
              variant="default"
              onClick={() =>
                setFilters({
                  created_after: new Date(Date.now() - days * DAY_MS).toISOString(),
                  created_before: undefined,
                })
              }
            >
              {words.last(days)}
            </Button>
          ))}
        </Group>
        <DayField label={words.from} day={from} max={to || undefined} onDay={(day) => setDay('created_after', day)} />
        <DayField label={words.to} day={to} min={from || undefined} onDay={(day) => setDay('created_before', day)} />
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setFilters({ created_after: undefined, created_before: undefined })}
        >
          {words.anyTime}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );

  function dayOf(time: string | undefined, byMs = 0): string {
    const instant = Date.parse(time ?? '') + byMs;
    return Number.isNaN(instant) ? '' : dayIn(zone, instant);
  }
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

function wordsOf({ created_after: after, created_before: before }: LinkFilters): string | null {
  const { filters: words } = t.links;
  const [start, end] = [Date.parse(after ?? ''), Date.parse(before ?? '')];
  const until = Number.isNaN(end) ? null : formatDate(new Date(end - 1));
  if (Number.isNaN(start)) return until && words.until(until);
  const day = formatDate(new Date(start));
  if (until) return words.between(day, until);
  // What began at midnight was chosen as a day.
  const days = Math.round((Date.now() - start) / DAY_MS);
  const isDay = startOfDay(timezone(), dayIn(timezone(), start)) === start;
  return isDay || days < 1 ? words.since(day) : words.last(days);
}
