import type { ClickEvent, FleetEvent, OpenEvent } from './events.ts';
import { sharedPart } from './Network.ts';

/** What makes an install easy or hard to trace back, by the truth of the simulation. Those that nothing was to be found of come last. */
export const CLASSES = [
  'home of one',
  'phone with its own /64',
  'household, one clicked',
  'household, others clicked',
  'office',
  'carrier',
  'public or relay',
  'Macintosh',
  'moved',
  'late',
  'organic beside a housemate',
  'organic',
] as const;

export type AmbiguityClass = (typeof CLASSES)[number];

/** In these the address of click and opening is nobody else's, and the click tells the platform. */
export const OWN: AmbiguityClass[] = ['home of one', 'phone with its own /64'];

/** The class of each first opening; `windowMs`: so long after a click an install may be matched. */
export function classify(events: readonly FleetEvent[], windowMs: number): Map<OpenEvent, AmbiguityClass> {
  const clicks = events.filter((event) => event.kind === 'click');
  const byAddress = Map.groupBy(clicks, ({ address }) => sharedPart(address));
  const openings = events.filter((event): event is OpenEvent => event.kind === 'open' && event.isFirst);
  return new Map(
    openings.map((open) => [open, classOf(open, byAddress.get(sharedPart(open.address)) ?? [], windowMs)]),
  );
}

function classOf(open: OpenEvent, there: readonly ClickEvent[], windowMs: number): AmbiguityClass {
  const { origin, network, address } = open;
  const others = there.some(
    ({ tenant, person, atMs }) =>
      tenant === open.tenant && person !== open.person && atMs <= open.atMs && open.atMs - atMs <= windowMs,
  );
  if (origin === null) return others && network.kind === 'home' ? 'organic beside a housemate' : 'organic';
  if (open.atMs - origin.atMs > windowMs) return 'late';
  if (network.kind === 'relay') return 'public or relay';
  if (sharedPart(origin.address) !== sharedPart(address)) return 'moved';
  if (/Macintosh/.test(origin.agent)) return 'Macintosh';
  if (network.kind === 'carrier') return address.includes(':') ? 'phone with its own /64' : 'carrier';
  if (network.kind === 'public') return 'public or relay';
  if (network.kind === 'office') return 'office';
  if (open.person.home.people.length === 1) return 'home of one';
  return others ? 'household, others clicked' : 'household, one clicked';
}
