import { clickStore } from '../clicks/chosenStore.ts';
import type { Click } from '../clicks/click.ts';
import { APP_LINK_RULE } from '../clicks/matchClickStore.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Origin } from '../models/Install.ts';
import type { Link } from '../models/Link.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import type { AttributedOpening } from './AttributedOpening.ts';
import { dimensionsOfDevice } from './dimensions.ts';
import type { Opening } from './Opening.ts';

/**
 * Sets the origin (referrer, UTM values, tags) of openings and of the installs that were attributed with them. Returns the
 * clicks that openings are themselves.
 */
export async function fillOrigins(openings: readonly AttributedOpening[], transaction: Transaction): Promise<Click[]> {
  const linked = openings.filter(({ attribution }) => attribution.link !== null);
  if (linked.length === 0) return [];
  const before = linked.filter(({ attribution }) => !attribution.isClick);
  const stored = await readStoredClicks(
    before.flatMap(({ attribution }) => attribution.clickId ?? []),
    before.map(({ opening }) => opening.projectId),
    transaction,
  );
  const tags = await tagsOfLinks(
    [...new Set(linked.flatMap(({ attribution }) => attribution.link?.id ?? []))],
    transaction,
  );
  const clicks: Click[] = [];
  for (const { opening, attribution, open } of linked) {
    if (!attribution.link || open.clickId === null) continue;
    const tagIds = tags.get(attribution.link.id)?.map(({ id }) => id) ?? [];
    const click = attribution.isClick ? clickFromOpening(open.clickId, opening, attribution.link, tagIds) : null;
    if (click) clicks.push(click);
    open.origin = originOf(click ?? stored.get(open.clickId)?.origin ?? null, tagIds);
    // One install may stand here several times, each time as it was after one of its openings.
    for (const { install } of openings) if (install.clickId === open.clickId) install.origin = open.origin;
  }
  return clicks;
}

function originOf(
  click: Pick<Click, 'referrerHost' | 'destination' | 'rule' | 'utm'> | null,
  tagIds: string[],
): Origin {
  const { referrerHost = null, destination = null, rule = null, utm = null } = click ?? {};
  return { referrerHost, destination, rule, utm: utm as Origin['utm'], tagIds };
}

/** The click that a direct opening by a link's URL is; no redirect has seen it (api.md §4). */
function clickFromOpening(id: string, opening: Opening, link: Link, tagIds: string[]): Click {
  const { device, ...dimensions } = dimensionsOfDevice(opening.device, opening.place);
  return {
    ...dimensions,
    id,
    teamId: opening.teamId,
    projectId: opening.projectId,
    linkId: link.id,
    domain: link.domain,
    slug: link.slug,
    occurredAt: opening.atMs,
    trafficClass: 'human',
    trafficReason: null,
    platform: dimensions.platform === 'web' ? 'other' : dimensions.platform,
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

/** A click that led to an app, as it is stored. */
export interface StoredClick {
  projectId: string;
  addressHash: string;
  occurredAt: number;
  origin: Omit<Origin, 'tagIds'>;
}

/** Reads clicks, by id. Clicks that are still in another process's journal are missing. */
export async function readStoredClicks(
  ids: readonly string[],
  projectIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, StoredClick>> {
  if (ids.length === 0) return new Map();
  const rows = await clickStore().readOrigins(ids, [...new Set(projectIds)], transaction);
  return new Map(
    rows.map(({ id, projectId, addressHash, occurredAt, ...origin }) => [
      id,
      { projectId, addressHash, occurredAt, origin: { ...origin, utm: origin.utm as Origin['utm'] } },
    ]),
  );
}
