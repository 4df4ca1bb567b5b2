import { type Click, encodeClick } from '../clicks/click.ts';
import type { Journal } from '../clicks/journal.ts';
import type { ClickLimits } from './ClickLimits.ts';
import type { Followed } from './follow.ts';

/**
 * Puts the click on disk; the answer waits for that. A person counts against the link's limit at once. A click that does
 * not fit is dropped and counted by the journal.
 */
export function clickRecorder(journal: Journal, limits: ClickLimits): (followed: Followed) => Promise<unknown> {
  return (followed) => {
    const click = clickOf(followed);
    if (click.trafficClass === 'human') limits.raise(click.linkId);
    return journal.append(encodeClick(click));
  };
}

function clickOf({ id, link, visitor, outcome, place, addressHash, visitorHash, atMs }: Followed): Click {
  return {
    id,
    teamId: link.teamId,
    projectId: link.projectId,
    linkId: link.id,
    domain: link.domain,
    slug: link.slug,
    occurredAt: atMs,
    trafficClass: visitor.trafficClass,
    trafficReason: visitor.trafficReason,
    country: place.country,
    region: place.region,
    city: place.city,
    platform: visitor.platform,
    device: visitor.device,
    browser: visitor.browser,
    language: visitor.language,
    referrerHost: visitor.referrerHost,
    destination: outcome.configured,
    rule: outcome.rule,
    utm: link.utm as Record<string, string | null> | null,
    tagIds: link.tagIds,
    visitor: visitorHash,
    addressHash,
  };
}
