import type { Route } from '../Route.ts';
import { ANALYTICS } from '../selections.ts';

export const ANALYTICS_ROUTES: Route[] = [
  {
    id: 'getAnalytics',
    method: 'GET',
    path: '/analytics',
    tag: 'Analytics',
    summary: 'Count clicks',
    description:
      'Clicks of people unless `traffic` says otherwise. Each dimension is also a filter: `country=DE,AT`, `country=-US`. ' +
      "A time series has no gaps. `unique` is the sum of each UTC day's distinct visitors.",
    scope: 'analytics:read',
    document: `query ($projectId: ID!, $event: String, $groupBy: String, $interval: String, $start: DateTimeISO,
        $end: DateTimeISO, $granularity: String, $timezone: String, $traffic: String, $limit: Int, $country: String,
        $device: String, $browser: String, $platform: String, $referrerHost: String, $link: String) {
      analytics(projectId: $projectId, event: $event, groupBy: $groupBy, interval: $interval, start: $start, end: $end,
        granularity: $granularity, timezone: $timezone, traffic: $traffic, limit: $limit, country: $country,
        device: $device, browser: $browser, platform: $platform, referrerHost: $referrerHost, link: $link) { ${ANALYTICS} } }`,
    status: 200,
  },
];
