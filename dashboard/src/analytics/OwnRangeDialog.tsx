import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { dayIn, startOfDay } from '../kernel/zones.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { type AnalyticsSearch, ownRange, zoneOf } from './query.ts';

interface OwnRangeDialogProps {
  isOpen: boolean;
  search: AnalyticsSearch;
  onClose: () => void;
  onSearch: (changed: AnalyticsSearch) => void;
}

const DAY_MS = 86_400_000;

/** The first and the last day of a range, both whole days of the time zone. */
export function OwnRangeDialog({ isOpen, search, onClose, onSearch }: OwnRangeDialogProps) {
  const zone = zoneOf(search);
  const [from, setFrom] = useState(() => dayIn(zone, Date.now() - 7 * DAY_MS));
  const [until, setUntil] = useState(() => dayIn(zone, Date.now()));
  const start = startOfDay(zone, from);
  // The day after the last one: a day may have 23 or 25 hours.
  const end = startOfDay(zone, dayIn(zone, startOfDay(zone, until) + 1.5 * DAY_MS));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    onSearch(ownRange(start, end));
  };
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.analytics.ranges.own}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            type="date"
            label={t.analytics.from}
            max={until}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t.analytics.until}
            min={from}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={!(start < end)}>
              {t.analytics.apply}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
