import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatDate, formatDuration } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { useWidth } from '../../ui/charts/useWidth.ts';
import styles from '../watch.module.css';
import { checkName } from './checks.ts';
import type { HistoryDay } from './historyDays.ts';

const HEIGHT = 24;
const GAP = 2;
const MOST_STEP = 16;
/** A state is told by the height of its bar too. */
const BARS = {
  fail: { height: HEIGHT, fill: 'var(--alarm)' },
  warn: { height: 16, fill: 'var(--warn)' },
  pass: { height: 8, fill: 'var(--good)' },
  skip: { height: 3, fill: 'var(--line)' },
} as const;
const NOTHING = { height: 1, fill: 'var(--line)' };

/** The days of a check as bars, read by pointer or arrow keys, with the same in a sentence. */
export function DayStrip({ name, days }: { name: string; days: readonly HistoryDay[] }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [read, setRead] = useState<number | null>(null);
  const last = days.length - 1;
  const step = Math.min(MOST_STEP, width / days.length);
  const summary = summaryOf(days);
  const move = (by: number) => setRead((at) => Math.min(Math.max((at ?? (by > 0 ? -1 : last + 1)) + by, 0), last));
  const keys: Record<string, () => void> = {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    Home: () => setRead(0),
    End: () => setRead(last),
    Escape: () => setRead(null),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    event.preventDefault();
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const at = Math.floor((clientX - currentTarget.getBoundingClientRect().left) / step);
    setRead(at >= 0 && at <= last ? at : null);
  };
  const day = read === null ? undefined : days[read];
  return (
    <li>
      <b>{checkName(name)}</b>
      <div
        ref={ref}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its days
        tabIndex={0}
        aria-label={`${checkName(name)}. ${summary}. ${t.watch.history.keys}`}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setRead(null)}
        onBlur={() => setRead(null)}
      >
        <svg className={styles.strip} width={width} height={HEIGHT} aria-hidden="true">
          {days.map(({ start, status }, index) => {
            const { height, fill } = status === null ? NOTHING : BARS[status];
            return (
              <rect
                key={start}
                x={index * step}
                y={HEIGHT - height}
                width={Math.max(step - GAP, 1)}
                height={height}
                opacity={read === null || read === index ? 1 : 0.4}
                fill={fill}
              />
            );
          })}
        </svg>
      </div>
      <div role="status">{day ? wordsOf(day) : summary}</div>
    </li>
  );
}

function wordsOf({ start, status, lengthMs }: HistoryDay): string {
  const { history } = t.watch;
  if (status === null) return history.day(formatDate(start), history.noData);
  const state = t.states.check[status];
  const isBad = status === 'fail' || status === 'warn';
  return history.day(formatDate(start), isBad ? history.failedFor(state, formatDuration(lengthMs)) : state);
}

function summaryOf(days: readonly HistoryDay[]): string {
  const { history } = t.watch;
  const daysWith = (status: HistoryDay['status']) => days.filter((day) => day.status === status);
  const [failed, warned] = [daysWith('fail'), daysWith('warn')];
  const lastOf = (of: readonly HistoryDay[]) => formatDate(of.at(-1)?.start ?? '');
  if (failed.length > 0) return history.failing(failed.length, lastOf(failed));
  if (warned.length > 0) return history.warning(warned.length, lastOf(warned));
  return daysWith(null).length === days.length ? history.unknown : history.never;
}
