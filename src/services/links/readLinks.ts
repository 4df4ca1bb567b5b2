import type { Order, Position, Stretch } from '../keyset.ts';
import type { Spot } from '../paging.ts';
import { gatherLinks } from './gatherLinks.ts';
import type { LinkQuestion } from './linkFilter.ts';
import { countUpTo, smallestSource } from './smallestSource.ts';
import { entriesOf, planWalk, readStretch, spotAfter, stretchesOf, type Walk } from './walk.ts';

/**
 * How many links are read in their order before another way is tried; the second time only if some of the first were
 * wanted. A filter that one link in two hundred passes fills a page of 50 from them, in some 20 ms.
 */
const TRIES = [1_000, 10_000];

/**
 * Links that are looked up and sorted for one page, at most: about a second. What holds for more than that is so
 * frequent that it is met by reading on, or not far from where it began.
 */
const MOST_SORTED = 300_000;

/**
 * The first links after a position, in order: at most `count`, by their ids and sort values. They are read in the order
 * of an index while enough of them pass the conditions; otherwise the condition that holds for the fewest gives its
 * links, and they are sorted. So a page costs little whether what is asked for is frequent or rare.
 */
export async function readLinks(
  question: LinkQuestion,
  order: Order,
  after: Position | null,
  count: number,
): Promise<Spot[]> {
  const walk = planWalk(question, order);
  const found: Spot[] = [];
  const left = stretchesOf(question, order, after);
  for (let stretch = left.shift(); stretch && found.length < count; stretch = left.shift()) {
    const { spots, rest } = await tryStretch(walk, stretch, count - found.length);
    found.push(...spots);
    if (rest) return [...found, ...(await readRest(walk, [rest, ...left], count - found.length))];
  }
  return found;
}

/** What there is of `count` links within the tries, and the rest of the stretch when they were not enough. */
async function tryStretch(
  walk: Walk,
  stretch: Stretch,
  count: number,
): Promise<{ spots: Spot[]; rest: Stretch | null }> {
  if (walk.tests.length === 0) return { spots: await readStretch(walk, stretch, count), rest: null };
  const spots: Spot[] = [];
  let rest = stretch;
  for (const size of TRIES) {
    const end = await spotAfter(walk, rest, size);
    const more = await readStretch(walk, end ? { ...rest, through: end } : rest, count - spots.length);
    spots.push(...more);
    if (!end || spots.length === count) return { spots, rest: null };
    rest = { ...rest, after: end };
    if (more.length === 0) break;
  }
  return { spots, rest };
}

async function readRest(walk: Walk, stretches: Stretch[], count: number): Promise<Spot[]> {
  const best = await smallestSource(walk.conditions, MOST_SORTED);
  if (best && best.count < (await countLeft(walk, stretches, best.count))) {
    return gatherLinks(walk, best.condition, best.source, stretches, count);
  }
  const spots: Spot[] = [];
  for (const stretch of stretches) {
    if (spots.length < count) spots.push(...(await readStretch(walk, stretch, count - spots.length)));
  }
  return spots;
}

/** How many links are left to be read in the order, as far as one more than `enough`. */
async function countLeft(walk: Walk, stretches: Stretch[], enough: number): Promise<number> {
  let count = 0;
  for (const stretch of stretches) {
    if (count <= enough) count += await countUpTo((bind) => entriesOf(walk, stretch, bind), enough + 1 - count);
  }
  return count;
}
