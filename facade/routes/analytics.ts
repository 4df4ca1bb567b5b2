import { FILTER_FIELDS } from '../../src/analytics/filterTable.ts';
import type { Route } from '../Route.ts';
import { ANALYTICS } from '../selections.ts';

/** Every dimension is a filter of its own. */
const FILTER_VARIABLES = FILTER_FIELDS.map((name) => `$${name}: String`).join(', ');
const FILTER_ARGUMENTS = FILTER_FIELDS.map((name) => `${name}: $${name}`).join(', ');

export const ANALYTICS_ROUTES: Route[] = [
  {
    id: 'getAnalytics',
    method: 'GET',
    path: '/analytics',
    tag: 'Analytics',
    summary: 'Count clicks and what follows from them',
    description:
      'Clicks of people, unless `traffic`, a filter by `traffic_class` or grouping by it says otherwise. Each dimension is ' +
      'also a filter: `country=DE,AT`, `country=-US`; links are named by id or `ext_<external id>`, tags by name, as links ' +
      'carried them when they were clicked (a click counts under each of them). A time series has no gaps. `unique` is the ' +
      "sum of each UTC day's distinct visitors. `orphan` counts requests for slugs that no link has, by their domain.",
    scope: 'analytics:read',
    document: `query ($projectId: ID!, $event: String, $groupBy: String, $interval: String, $start: DateTimeISO,
        $end: DateTimeISO, $granularity: String, $timezone: String, $traffic: String, $limit: Int, ${FILTER_VARIABLES}) {
      analytics(projectId: $projectId, event: $event, groupBy: $groupBy, interval: $interval, start: $start, end: $end,
        granularity: $granularity, timezone: $timezone, traffic: $traffic, limit: $limit, ${FILTER_ARGUMENTS}) { ${ANALYTICS} } }`,
    status: 200,
  },
];
