import type { Click } from '../clicks/click.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Origin } from '../models/Install.ts';
import { tagsOfLinks } from '../services/links/linkTags.ts';
import { clickOfOpening } from './clickOfOpening.ts';
import type { FreshOpening } from './decideOpening.ts';
import { readStoredClicks } from './storedClicks.ts';

/**
 * Puts into openings what their clicks and links tell for figures, and into the installs that came by them. Gives the
 * clicks that openings are themselves.
 */
export async function tellOrigins(fresh: readonly FreshOpening[], transaction: Transaction): Promise<Click[]> {
  const linked = fresh.filter(({ found }) => found.link !== null);
  if (linked.length === 0) return [];
  const before = linked.filter(({ found }) => !found.isClick);
  const stored = await readStoredClicks(
    before.flatMap(({ found }) => found.clickId ?? []),
    transaction,
  );
  const tags = await tagsOfLinks([...new Set(linked.flatMap(({ found }) => found.link?.id ?? []))], transaction);
  const clicks: Click[] = [];
  for (const { opening, found, open } of linked) {
    if (!found.link || open.clickId === null) continue;
    const tagIds = tags.get(found.link.id)?.map(({ id }) => id) ?? [];
    const click = found.isClick ? clickOfOpening(open.clickId, opening, found.link, tagIds) : null;
    if (click) clicks.push(click);
    open.origin = originOf(click ?? stored.get(open.clickId)?.origin ?? null, tagIds);
    // There may be several of one install, each as it was after an opening.
    for (const { install } of fresh) if (install.clickId === open.clickId) install.origin = open.origin;
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
