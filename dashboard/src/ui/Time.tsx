import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatExactTime, formatRelative } from '../kernel/times.ts';

const TICK_MS = 30_000;

/** A time, relative within a day, with the exact one and its zone on hover and focus. */
export function Time({ at }: { at: string }) {
  const now = useNow(TICK_MS);
  return (
    <Tooltip label={formatExactTime(at)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is shown on focus too */}
      <time dateTime={at} tabIndex={0} className="tabular">
        {formatRelative(at, now)}
      </time>
    </Tooltip>
  );
}

/** The time, told anew every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
