import { ANALYTICS_FILTERS } from '../../schema/analyticsEnums.ts';
import type { Route } from './Route.ts';
import { ANALYTICS } from './selections.ts';

/** Every dimension is a filter of its own. */
const FILTER_VARIABLES = ANALYTICS_FILTERS.map((name) => `$${name}: String`).join(', ');
const FILTER_ARGUMENTS = ANALYTICS_FILTERS.map((name) => `${name}: $${name}`).join(', ');

export const ANALYTICS_ROUTES: Route[] = [
  {
    id: 'getAnalytics',
    call: 'analytics.get',
    method: 'GET',
    path: '/analytics',
    tag: 'Analytics',
    summary: 'Count clicks, installs and events',
    description:
      'Counts clicks by people, unless `traffic`, a filter by `traffic_class` or grouping by it says otherwise. Each ' +
      'dimension is also a filter: `country=DE,AT`, `country=-US`; a backslash escapes a comma, a leading minus, ' +
      'a space at an edge and itself: `utm_campaign=spring\\, summer`; `null` is the unknown value, and ' +
      '`\\null` the text. Links are given by ID or `ext_<external id>`, tags ' +
      'by name. A click counts under each tag that its link had at the time. A time series has no gaps. `unique` is ' +
      'the sum of the distinct visitors of each UTC day. `orphan` counts requests for slugs without a link, by domain.',
    scope: 'analytics:read',
    document: `query ($projectId: ID!, $event: AnalyticsEvent, $groupBy: AnalyticsGroup, $interval: String, $start: DateTimeISO,
        $end: DateTimeISO, $granularity: Granularity, $timezone: String, $traffic: Traffic, $limit: Int, ${FILTER_VARIABLES}) {
      analytics(projectId: $projectId, event: $event, groupBy: $groupBy, interval: $interval, start: $start, end: $end,
        granularity: $granularity, timezone: $timezone, traffic: $traffic, limit: $limit, ${FILTER_ARGUMENTS}) { ${ANALYTICS} } }`,
    status: 200,
  },
];
