import { config } from '../kernel/config.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Alert } from '../models/Alert.ts';
import type { Direction, Incident } from './Incident.ts';
import type { Judgement } from './judgePeople.ts';
import type { LargestPart } from './largestPart.ts';
import { HOUR_MS } from './Track.ts';
import { NOTHING_SHARE } from './thresholds.ts';

/** Where a link is, for people to read. */
export interface NamedLink {
  id: string;
  domain: string;
  slug: string;
}

/** Everything that an alert of an incident tells. */
export interface Anomaly {
  project: { id: string; name: string };
  /** Null: all of the project. */
  link: NamedLink | null;
  incident: Incident;
  judgement: Judgement;
  explanation: LargestPart | null;
  /** The link that the explanation names. */
  explainedBy: NamedLink | null;
}

/** Hours before an incident that its view shows, too. */
const SHOWN_BEFORE = 24;

const TITLES: Record<Direction, string> = {
  drop: 'Fewer clicks than usual',
  spike: 'More clicks than usual',
  bot_flood: 'Many clicks of bots',
};

/** What the alert says, and to whom it is how important. */
export function anomalyAlert(anomaly: Anomaly): Pick<Alert, 'severity' | 'title' | 'message' | 'details'> {
  const { project, link, incident, judgement, explanation } = anomaly;
  const { direction } = incident;
  const { actual, expected, hour } = judgement;
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
      low: Math.round(judgement.low),
      high: Math.round(judgement.high),
      score: Math.round(judgement.score * 10) / 10,
      explanation,
      url: `${config.baseUrl}/app/analytics?project=${project.id}&${view}`,
      analytics: `/api/v1/analytics?${view}`,
    },
  };
}

function whatHappened({ link, project, incident, judgement }: Anomaly): string {
  const { actual, expected, low, high, hour } = judgement;
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
function viewOf({ link, incident, judgement, explanation }: Anomaly): string {
  const query = new URLSearchParams({
    group_by: 'time',
    granularity: 'hour',
    start: isoOf(incident.fromHour - SHOWN_BEFORE),
    end: isoOf(judgement.hour + 1),
  });
  if (incident.direction === 'bot_flood') query.set('traffic_class', 'bot,scanner');
  if (link) query.set('link', link.id);
  // A filter is a list, and a minus in front means all others.
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
