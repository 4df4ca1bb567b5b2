import type { Click } from '../clicks/click.ts';
import { APP_LINK_RULE } from '../matching/matchClicks.ts';
import type { Link } from '../models/Link.ts';
import { figuresOfDevice } from './figures.ts';
import type { Opening } from './Opening.ts';

/** The click that an app's opening by a link is, which no redirect has seen (api.md §4). */
export function clickOfOpening(id: string, opening: Opening, link: Link, tagIds: string[]): Click {
  const { device, ...figures } = figuresOfDevice(opening.device, opening.place);
  return {
    ...figures,
    id,
    teamId: opening.teamId,
    projectId: opening.projectId,
    linkId: link.id,
    domain: link.domain,
    slug: link.slug,
    occurredAt: opening.atMs,
    trafficClass: 'human',
    trafficReason: null,
    platform: figures.platform === 'web' ? 'other' : figures.platform,
    device: device ?? 'desktop',
    browser: null,
    referrerHost: null,
    destination: link.destination,
    rule: APP_LINK_RULE,
    utm: link.utm as Click['utm'],
    tagIds,
    visitor: opening.visitor,
    addressHash: opening.addressHash,
    osVersion: null,
    deviceModel: null,
  };
}
