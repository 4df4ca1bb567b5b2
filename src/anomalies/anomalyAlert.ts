import { config } from '../kernel/config.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Alert } from '../models/Alert.ts';
import type { Assessment } from './decide/assess.ts';
import type { LargestPart } from './decide/largestPart.ts';
import { type Direction, HOUR_MS, type Incident } from './decide/Track.ts';
import { NOTHING_SHARE } from './decide/thresholds.ts';

/** A link with its address, for people to read. */
export interface NamedLink {
  id: string;
  domain: string;
  slug: string;
}

/** An incident with everything that its alert shows. */
export interface Anomaly {
  project: { id: string; name: string };
  /** Null for the whole project. */
  link: NamedLink | null;
  incident: Incident;
  assessment: Assessment;
  explanation: LargestPart | null;
  /** The link that the explanation names. */
  explainedBy: NamedLink | null;
}

/** Hours before an incident that its view in the dashboard includes. */
const SHOWN_BEFORE = 24;

const TITLES: Record<Direction, string> = {
  drop: 'Fewer clicks than usual',
  spike: 'More clicks than usual',
  bot_flood: 'Many clicks by bots',
};

/** The severity, texts and details of an incident's alert. */
export function anomalyAlert(anomaly: Anomaly): Pick<Alert, 'severity' | 'title' | 'message' | 'details'> {
  const { project, link, incident, assessment, explanation } = anomaly;
  const { direction } = incident;
  const { actual, expected, hour } = assessment;
  const isNothing = direction === 'drop' && link === null && actual <= NOTHING_SHARE * expected;
  const view = viewOf(anomaly);
  return {
    severity: isNothing ? 'critical' : 'warning',
    title: link ? `${TITLES[direction]}: ${nameOf(link)}` : TITLES[direction],
    message: [whatHappened(anomaly), explained(anomaly)].filter((sentence) => sentence !== null).join(' '),
    details: {
      direction,
      hour: isoOf(hour),
      started_at: isoOf(incident.fromHour),
      ended_at: null,
      actual,
      expected: Math.round(expected),
      low: Math.round(assessment.low),
      high: Math.round(assessment.high),
      score: Math.round(assessment.score * 10) / 10,
      explanation,
      url: `${config.baseUrl}/app/analytics?project=${project.id}&${view}`,
      analytics: `/api/v1/analytics?${view}`,
    },
  };
}

function whatHappened({ link, project, incident, assessment }: Anomaly): string {
  const { actual, expected, low, high, hour } = assessment;
  const of = link ? nameOf(link) : `“${project.name}”`;
  const when = `in the hour from ${clockTime(hour)}`;
  const usual = `${counted(expected)} (${counted(low)}–${counted(high)}) are usual.`;
  if (incident.direction === 'bot_flood')
    return `Bots and scanners followed ${of} ${counted(actual)} times ${when}; ${usual}`;
  return `Clicks on ${of} ${incident.direction === 'drop' ? 'fell' : 'rose'} to ${counted(actual)} ${when}; ${usual}`;
}

function explained({ explanation, explainedBy }: Anomaly): string | null {
  if (!explanation) return null;
  const { dimension, key, from, to } = explanation;
  const name = explainedBy ? nameOf(explainedBy) : (key ?? 'unknown');
  return `Most of it: ${dimension.replaceAll('_', ' ')} ${name} (${counted(from)} → ${counted(to)}).`;
}

/** The query of GET /analytics that shows the incident hour by hour, narrowed to the part that explains it. */
function viewOf({ link, incident, assessment, explanation }: Anomaly): string {
  const query = new URLSearchParams({
    group_by: 'time',
    granularity: 'hour',
    start: isoOf(incident.fromHour - SHOWN_BEFORE),
    end: isoOf(assessment.hour + 1),
  });
  if (incident.direction === 'bot_flood') query.set('traffic_class', 'bot,scanner');
  if (link) query.set('link', link.id);
  // Such a key cannot be a filter: a comma separates values, and a leading minus excludes them.
  if (explanation?.key && !/^\s*-|,/.test(explanation.key)) query.set(explanation.dimension, explanation.key);
  return query.toString();
}

function nameOf({ domain, slug }: NamedLink): string {
  return shortUrl(domain, slug).replace(/^https?:\/\//, '');
}

function counted(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

export function isoOf(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString();
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function clockTime(hour: number): string {
  const time = new Date(hour * HOUR_MS);
  return `${isoOf(hour).slice(11, 16)} UTC on ${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
}
