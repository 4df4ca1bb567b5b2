import { graphql } from '../kernel/graphql.ts';

/** Filters are the same in every operation; the class of visitors stands apart, because one answer is about all classes. */
const FILTER_VARIABLES = `
  $link: String $slug: String $domain: String $tag: String $country: String $region: String
  $city: String $platform: String $device: String $browser: String $language: String
  $referrerHost: String $destination: String $rule: String $utmSource: String $utmMedium: String
  $utmCampaign: String $utmTerm: String $utmContent: String $eventName: String $appVersion: String
  $matchMethod: String
` as const;
const FILTERS = `
  link: $link slug: $slug domain: $domain tag: $tag country: $country region: $region city: $city
  platform: $platform device: $device browser: $browser language: $language
  referrerHost: $referrerHost destination: $destination rule: $rule utmSource: $utmSource
  utmMedium: $utmMedium utmCampaign: $utmCampaign utmTerm: $utmTerm utmContent: $utmContent
  eventName: $eventName appVersion: $appVersion matchMethod: $matchMethod
` as const;

const SCOPE_VARIABLES = `$projectId: ID!
  $timezone: String
  $interval: String
  $start: DateTimeISO
  $end: DateTimeISO
  $traffic: Traffic
  $trafficClass: String
  ${FILTER_VARIABLES}` as const;
const SCOPE = `projectId: $projectId
  timezone: $timezone
  interval: $interval
  start: $start
  end: $end
  ${FILTERS}` as const;

/** A figure, and that of the period before. */
const TOTALS = `total {
    count
    unique
    values
  }
  previous {
    count
    unique
    values
  }` as const;

/**
 * What the head of the page shows: the figures, the course of the chosen event, and how many clicks each class has. One operation, so
 * that all of it is of the same moment.
 */
export const SERIES = graphql(`
  query AnalyticsSeries($event: AnalyticsEvent, $granularity: Granularity, $compare: Boolean, ${SCOPE_VARIABLES}) {
    analytics(
      event: $event, groupBy: time, granularity: $granularity, compare: $compare
      traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      start
      end
      timezone
      asOf
      granularity
      previousStart
      previousEnd
      total {
        count
      }
      data {
        key
        count
      }
      previousData {
        key
        count
      }
    }
    clicks: analytics(
      event: click, compare: $compare, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      asOf
      ${TOTALS}
    }
    installs: analytics(
      event: install, compare: $compare, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      ${TOTALS}
    }
    events: analytics(
      event: app_event, compare: $compare, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      ${TOTALS}
    }
    classes: analytics(event: click, groupBy: traffic_class, traffic: all, ${SCOPE}) {
      total {
        count
      }
      data {
        key
        count
      }
    }
  }
`);

/** The course alone, hour by hour. */
export const HOURS = graphql(`
  query AnalyticsHours($event: AnalyticsEvent, ${SCOPE_VARIABLES}) {
    analytics(
      event: $event, groupBy: time, granularity: hour, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      start
      end
      timezone
      granularity
      data {
        key
        count
      }
    }
  }
`);

/** All cards of the page in one pass. */
export const BREAKDOWNS = graphql(`
  query AnalyticsBreakdowns(
    $event: AnalyticsEvent, $groupBys: [AnalyticsGroup!]!, $limit: Int, ${SCOPE_VARIABLES}
  ) {
    analyticsBreakdowns(
      event: $event, groupBys: $groupBys, limit: $limit, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      groupBy
      total {
        count
      }
      others {
        count
      }
      data {
        key
        label
        count
      }
    }
  }
`);

/** One card as a whole, and the values that a filter can have. */
export const VALUES = graphql(`
  query AnalyticsValues($event: AnalyticsEvent, $groupBy: AnalyticsGroup!, $limit: Int, ${SCOPE_VARIABLES}) {
    analytics(
      event: $event, groupBy: $groupBy, limit: $limit, traffic: $traffic, trafficClass: $trafficClass, ${SCOPE}
    ) {
      total {
        count
      }
      others {
        count
      }
      data {
        key
        label
        count
      }
    }
  }
`);
