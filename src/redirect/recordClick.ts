import { encodeVisit } from '../clicks/click.ts';
import type { Journal } from '../clicks/journal.ts';
import type { Place } from '../geo/geoip.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { ClickLimits } from './ClickLimits.ts';
import type { FollowedLink } from './follow.ts';

/**
 * Returns a function that writes a click to the journal and resolves when it is on disk. A person counts against the
 * link's limit at once, and is told to `countFollow`. If the journal is full, it drops the click and counts the loss.
 */
export function clickRecorder(
  journal: Journal,
  limits: ClickLimits,
  countFollow: (linkId: string) => void,
): (followed: FollowedLink) => Promise<unknown> {
  return (followed) => {
    const { visitor, link } = followed;
    if (visitor.trafficClass === 'human') {
      limits.countPerson(link.id, link.clickLimit !== null);
      countFollow(link.id);
    }
    return journal.append(lineFor(followed));
  };
}

function lineFor({ id, link, visitor, outcome, place, addressHash, visitorHash, atMs }: FollowedLink): string {
  return encodeVisit(link.line, {
    id,
    occurredAt: atMs,
    ...visitOf(visitor, place),
    trafficReason: visitor.trafficReason,
    destination: outcome.configured,
    rule: outcome.rule,
    visitor: visitorHash,
    addressHash,
    osVersion: visitor.osVersion,
    deviceModel: visitor.deviceModel,
  });
}

/** What is stored of a visit, to a link or to an unknown address. Never the visitor's address. */
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
