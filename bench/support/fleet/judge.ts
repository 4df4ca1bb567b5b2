import type { AmbiguityClass } from './ambiguity.ts';
import type { ClickEvent, OpenEvent } from './events.ts';
import { EMPTY, type Tally } from './tally.ts';

/** Of these nothing is to be found. */
const UNLED: ReadonlySet<AmbiguityClass> = new Set(['late', 'organic beside a housemate', 'organic']);

/** What became of the project's own installs, by class. `found`: the click that each was traced back to. */
export function judge(
  classes: ReadonlyMap<OpenEvent, AmbiguityClass>,
  found: ReadonlyMap<OpenEvent, ClickEvent | null>,
): Map<AmbiguityClass, Tally> {
  const tallies = new Map<AmbiguityClass, Tally>();
  for (const [open, name] of classes) {
    if (open.tenant !== 'own') continue;
    const tally = tallies.get(name) ?? { ...EMPTY };
    tallies.set(name, tally);
    const click = found.get(open) ?? null;
    tally.installs += 1;
    const isLed = !UNLED.has(name);
    if (isLed) tally.led += 1;
    if (click === null) continue;
    tally.matched += 1;
    if (isRight(open, click)) tally.right += 1;
    if (isLed && isRight(open, click)) tally.found += 1;
    if (click === open.origin) tally.rightClick += 1;
  }
  return tallies;
}

/** What counts is the link: an app goes where the link leads, whichever of its clicks is meant. */
export function isRight({ origin }: OpenEvent, click: ClickEvent): boolean {
  return origin?.tenant === click.tenant && origin.link === click.link;
}
