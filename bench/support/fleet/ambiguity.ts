import type { ClickEvent, FleetEvent, OpenEvent } from './events.ts';
import { sharedPart } from './Network.ts';

/** What makes an install easy or hard to trace back, by the truth of the simulation. Those that nothing was to be found of come last. */
export const CLASSES = [
  'home, alone',
  'home, others clicked',
  'phone with its own /64',
  'office',
  'carrier',
  'public or relay',
  'Macintosh',
  'moved',
  'late',
  'organic',
] as const;

export type AmbiguityClass = (typeof CLASSES)[number];

/** In these the address of click and opening is nobody else's, and the click tells the platform. */
export const UNSHARED: AmbiguityClass[] = ['home, alone', 'phone with its own /64'];

/** The class of each opening; `windowMs`: so long after a click an install may be matched. */
export function classify(events: readonly FleetEvent[], windowMs: number): Map<OpenEvent, AmbiguityClass> {
  const clicks = events.filter((event) => event.kind === 'click');
  const byAddress = Map.groupBy(clicks, ({ address }) => sharedPart(address));
  const openings = events.filter((event) => event.kind === 'open');
  return new Map(
    openings.map((open) => [open, classOf(open, byAddress.get(sharedPart(open.address)) ?? [], windowMs)]),
  );
}

function classOf(open: OpenEvent, there: readonly ClickEvent[], windowMs: number): AmbiguityClass {
  const { origin, network, address } = open;
  if (origin === null) return 'organic';
  if (open.atMs - origin.atMs > windowMs) return 'late';
  if (network.kind === 'relay') return 'public or relay';
  if (sharedPart(origin.address) !== sharedPart(address)) return 'moved';
  if (/Macintosh/.test(origin.agent)) return 'Macintosh';
  if (network.kind === 'carrier') return address.includes(':') ? 'phone with its own /64' : 'carrier';
  if (network.kind === 'public') return 'public or relay';
  if (network.kind === 'office') return 'office';
  const others = there.some(
    ({ tenant, person, atMs }) =>
      tenant === open.tenant && person !== open.person && atMs <= open.atMs && open.atMs - atMs <= windowMs,
  );
  return others ? 'home, others clicked' : 'home, alone';
}
