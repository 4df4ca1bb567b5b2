import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ResultOf } from '../kernel/graphql.ts';
import { formatChange, formatCount, formatExact, formatMoney } from '../kernel/numbers.ts';
import { formatSpan } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { IconInfo } from '../ui/icons.ts';
import styles from './analytics.module.css';
import type { SERIES } from './operations.ts';
import type { AnalyticsSearch } from './query.ts';

type Answer = ResultOf<typeof SERIES>;

export interface Figure {
  name: string;
  now: number;
  before: number | null;
  /** Shown instead of a count. */
  text?: string;
  about?: string;
  /** The event whose analytics the figure leads to. */
  event?: 'install' | 'open' | 'app_event';
}

interface CurrencySum {
  currency: string | null;
  sum: number;
}

/** The totals of the range, each with its change against the period before and the dates of that. */
export function Figures({ answer }: { answer: Answer }) {
  return <FigureList figures={figuresOf(answer)} period={answer.analytics} />;
}

interface FigureListProps {
  figures: readonly Figure[];
  /** The period before; null without one. */
  period: { previousStart: string | null; previousEnd: string | null; timezone: string };
  /** The range, for the analytics that figures lead to. */
  search?: AnalyticsSearch;
}

/** Figures side by side, with their change where there is a period before. */
export function FigureList({ figures, period, search = {} }: FigureListProps) {
  const { previousStart, previousEnd, timezone } = period;
  const dates = previousStart && previousEnd ? formatSpan(previousStart, previousEnd, timezone) : null;
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, now, before, text, about, event }) => (
        <div key={name} className={styles.figure}>
          <dt>
            {event ? (
              <Link to="/analytics" search={{ ...search, event }}>
                {name}
              </Link>
            ) : (
              name
            )}
            {about ? <About name={name} about={about} /> : null}
          </dt>
          <dd>
            <span className={styles.number} title={formatExact(now)}>
              {text ?? formatCount(now)}
            </span>
            {dates === null ? null : <span className={styles.soft}>{comparison(now, before, dates)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf({ clicks, installs, events }: Answer): Figure[] {
  const { figures } = t.analytics;
  return [
    { name: figures.clicks, now: clicks.total.count, before: clicks.previous?.count ?? null },
    {
      name: figures.unique,
      now: clicks.total.unique,
      before: clicks.previous?.unique ?? null,
      about: figures.uniqueAbout,
    },
    { name: figures.installs, now: installs.total.count, before: installs.previous?.count ?? null },
    { name: figures.events, now: events.total.count, before: events.previous?.count ?? null },
    ...revenueFigures(events),
  ];
}

interface EventTotals {
  total: { values: unknown };
  previous: { values: unknown } | null;
}

/** What app events were worth, in each currency. */
export function revenueFigures({ total, previous }: EventTotals): Figure[] {
  const { figures } = t.analytics;
  const earlier = sumsOf(previous?.values);
  return sumsOf(total.values).map(({ currency, sum }) => ({
    name: currency === null ? figures.values : figures.revenue(currency),
    now: sum,
    before: previous ? (earlier.find((one) => one.currency === currency)?.sum ?? 0) : null,
    text: currency === null ? formatExact(sum) : formatMoney(sum, currency),
  }));
}

function sumsOf(values: unknown): CurrencySum[] {
  return Array.isArray(values) ? (values as CurrencySum[]) : [];
}

function comparison(now: number, before: number | null, dates: string): string {
  const { figures } = t.analytics;
  if (!before) return figures.none(dates);
  const change = formatChange(now, before);
  return figures.before(change ?? '', dates);
}

function About({ name, about }: { name: string; about: string }) {
  return (
    <Tooltip label={about} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={styles.about} aria-label={`${name}: ${about}`}>
        <IconInfo size={15} aria-hidden />
      </button>
    </Tooltip>
  );
}
