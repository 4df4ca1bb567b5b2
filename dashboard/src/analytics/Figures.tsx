import { Tooltip } from '@mantine/core';
import type { ResultOf } from '../kernel/graphql.ts';
import { formatChange, formatCount, formatExact, formatMoney } from '../kernel/numbers.ts';
import { formatSpan } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { IconInfo } from '../ui/icons.ts';
import styles from './analytics.module.css';
import type { SERIES } from './operations.ts';

type Answer = ResultOf<typeof SERIES>;

interface Figure {
  name: string;
  now: number;
  before: number | null;
  /** Shown instead of a count. */
  text?: string;
  about?: string;
}

interface CurrencySum {
  currency: string | null;
  sum: number;
}

/** The totals of the range, each with its change against the period before and the dates of that. */
export function Figures({ answer }: { answer: Answer }) {
  const { previousStart, previousEnd, timezone } = answer.analytics;
  const dates = previousStart && previousEnd ? formatSpan(previousStart, previousEnd, timezone) : null;
  return (
    <dl className={styles.figures}>
      {figuresOf(answer).map(({ name, now, before, text, about }) => (
        <div key={name} className={styles.figure}>
          <dt>
            {name}
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
  const revenue = sumsOf(events.total.values);
  const earlier = sumsOf(events.previous?.values);
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
    ...revenue.map(({ currency, sum }) => ({
      name: currency === null ? figures.values : figures.revenue(currency),
      now: sum,
      before: events.previous ? (earlier.find((one) => one.currency === currency)?.sum ?? 0) : null,
      text: currency === null ? formatExact(sum) : formatMoney(sum, currency),
    })),
  ];
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
