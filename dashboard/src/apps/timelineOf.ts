import { graphql, type ResultOf } from '../kernel/graphql.ts';

/** How many openings, and how many events, an install shows: the server's most is 100. */
export const LISTED = 50;

export const TIMELINE = graphql(`
  fragment Timeline on Install @_unmask {
    firstOpenedAt
    match {
      clickedAt
    }
    opens(limit: $limit) {
      id
      kind
      occurredAt
      appVersion
      match {
        matched
      }
      linkId
      link {
        id
        shortUrl
      }
    }
    events(limit: $limit) {
      id
      name
      occurredAt
      value
      currency
      isOutlier
      properties
    }
  }
`);

export type TimelineData = ResultOf<typeof TIMELINE>;
type Open = TimelineData['opens'][number];
export type AppEvent = TimelineData['events'][number];

/** Something that happened. Of the first opening only its time is known once single openings are no longer kept. */
export type Step = { at: string; key: string } & (
  | { kind: 'click' }
  | { kind: 'open'; open: Pick<Open, 'kind'> & Partial<Open> }
  | { kind: 'event'; event: AppEvent }
);

/** What is told first where two things happened at the same moment. */
const ORDER = ['click', 'open', 'event'];

/** The click, the openings and the events in their order. */
export function timelineOf({ firstOpenedAt, match, opens, events }: TimelineData): Step[] {
  const hasFirst = opens.some(({ kind }) => kind === 'install');
  const steps: Step[] = [
    ...(match.clickedAt ? [{ kind: 'click' as const, at: match.clickedAt, key: 'click' }] : []),
    ...(hasFirst
      ? []
      : [{ kind: 'open' as const, at: firstOpenedAt, key: 'first', open: { kind: 'install' as const } }]),
    ...opens.map((open) => ({ kind: 'open' as const, at: open.occurredAt, key: open.id, open })),
    ...events.map((event) => ({ kind: 'event' as const, at: event.occurredAt, key: event.id, event })),
  ];
  return steps.sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind),
  );
}
