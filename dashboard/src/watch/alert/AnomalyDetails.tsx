import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnalyticsSearch, MarkedHours, nameOf } from '../../analytics/public.ts';
import { ANALYTICS_DIMENSIONS, ANALYTICS_SEARCH } from '../../kernel/addresses.ts';
import type { JsonObject } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { textsOf } from '../../kernel/search.ts';
import { formatSpan } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneAlert } from '../AlertPage.tsx';
import { isObject, numberIn, textIn } from '../alerts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Traffic that lasts for three days counts as usual, so no incident is longer. */
const LONGEST_MS = 4 * DAY_MS;

/** What was counted against what was expected, and the hours around it. */
export function AnomalyDetails({ alert }: { alert: OneAlert }) {
  const { projectId, details } = alert;
  const navigate = useNavigate();
  const [now] = useState(() => Date.now());
  const search = searchOf(details);
  const started = textIn(details, 'started_at');
  const { anomaly } = t.watch.alert;
  const shown = started === null ? null : spanOf(started, textIn(details, 'ended_at') ?? alert.resolvedAt, now);
  const analytics = (changed: AnalyticsSearch) => ({
    ...search,
    ...changed,
    ...(projectId ? { project: projectId } : {}),
  });
  const zoom = (range: AnalyticsSearch) => void navigate({ to: '/analytics', search: analytics(range) });
  return (
    <>
      <Card
        title={anomaly.title}
        actions={
          <Link to="/analytics" search={analytics({})}>
            {anomaly.analytics}
          </Link>
        }
      >
        <AnomalyFacts details={details} />
      </Card>
      {projectId && shown ? (
        <Card title={anomaly.chart}>
          <MarkedHours
            projectId={projectId}
            search={{ ...search, start: new Date(shown.start).toISOString(), end: new Date(shown.end).toISOString() }}
            mark={shown.mark}
            onZoom={zoom}
          />
        </Card>
      ) : null}
    </>
  );
}

function AnomalyFacts({ details }: { details: JsonObject }) {
  const { anomaly } = t.watch.alert;
  const direction = textIn(details, 'direction') ?? '';
  const hour = textIn(details, 'hour');
  const started = textIn(details, 'started_at');
  const ended = textIn(details, 'ended_at');
  const count = (name: string) => formatExact(numberIn(details, name) ?? 0);
  return (
    <Facts
      facts={[
        {
          name: anomaly.direction,
          value: anomaly.directions[direction as keyof typeof anomaly.directions] ?? direction,
        },
        { name: anomaly.actual, value: <b>{count('actual')}</b> },
        { name: anomaly.expected, value: anomaly.expectedRange(count('expected'), count('low'), count('high')) },
        {
          name: anomaly.hour,
          value: hour && formatSpan(hour, new Date(Date.parse(hour) + HOUR_MS).toISOString()),
        },
        { name: anomaly.started, value: started && <Time at={started} /> },
        { name: anomaly.ended, value: ended ? <Time at={ended} /> : anomaly.goesOn },
        { name: anomaly.explanation, value: explanationOf(details.explanation), isWide: true },
      ]}
    />
  );
}

function explanationOf(explanation: unknown): string {
  const { anomaly } = t.watch.alert;
  if (!isObject(explanation)) return anomaly.unexplained;
  const dimension = textIn(explanation, 'dimension') ?? '';
  const known = ANALYTICS_DIMENSIONS.find((one) => one === dimension);
  const key = textIn(explanation, 'key');
  const count = (name: string) => formatExact(numberIn(explanation, name) ?? 0);
  return anomaly.explained(
    known ? t.analytics.dimensions[known] : dimension,
    known ? nameOf(known, key) : (key ?? t.common.unknown),
    count('from'),
    count('to'),
  );
}

/** The filter of the alert as the address of analytics has it. */
function searchOf(details: JsonObject): AnalyticsSearch {
  const query = textIn(details, 'analytics')?.split('?')[1] ?? '';
  return textsOf(Object.fromEntries(new URLSearchParams(query)), ...ANALYTICS_SEARCH);
}

/** The incident with a day before it, and some hours after it where they are over already. */
function spanOf(started: string, ended: string | null, now: number) {
  const from = Date.parse(started);
  const to = Math.min(Math.max(ended === null ? now : Date.parse(ended), from + HOUR_MS), from + LONGEST_MS);
  const end = Math.min(Math.ceil((to + 6 * HOUR_MS) / HOUR_MS) * HOUR_MS, Math.max(now, from + HOUR_MS));
  return { start: from - DAY_MS, end, mark: { from: started, to: new Date(Math.min(to, end)).toISOString() } };
}
