import type { Visitor } from '../routing/visitor.ts';
import type { Place } from './places.ts';

/** What is kept of a visit, of a link or of what no link has. Never the address. */
export function visitOf(visitor: Visitor, place: Place) {
  return {
    trafficClass: visitor.trafficClass,
    country: place.country,
    region: place.region,
    city: place.city,
    platform: visitor.platform,
    device: visitor.device,
    browser: visitor.browser,
    language: visitor.language,
    referrerHost: visitor.referrerHost,
  };
}
