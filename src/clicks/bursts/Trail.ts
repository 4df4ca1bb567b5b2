import { addSpan, type Span, spanAt } from './spans.ts';

/** A person's following of a link, or what was taken for it. */
export interface Step {
  linkId: string;
  atMs: number;
}

/** `isHuman`: it still counts as a person's in the store. */
export type NewStep = Step & { isHuman: boolean };

export interface BurstLimits {
  /** More different links than this make a burst. */
  links: number;
  /** Length of the window that they lie in. */
  windowMs: number;
}

/** Steps may come late by so many windows; older ones are forgotten. */
export const KEPT_WINDOWS = 6;

/** Beyond so many steps for each link of a burst, those inside bursts are thinned out. */
const MOST_STEPS = 6;

const NONE: Span[] = [];

/**
 * The latest steps of one address through the links of a team, in whatever order they come. A step belongs to a burst
 * when some window that holds it holds more different links than the limit. Kept is no more than it takes to tell that
 * for any later step: about two steps for each link and window, and of a long burst its two ends.
 */
export class Trail {
  readonly #steps: Step[] = [];
  /** What lies in these is part of a burst, whenever it comes. */
  readonly #bursts: Span[] = [];
  #newestMs = Number.NEGATIVE_INFINITY;
  #newestHumanMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly limits: BurstLimits) {}

  /** Steps in memory. */
  get size(): number {
    return this.#steps.length;
  }

  /** The burst that this moment lies in. */
  burstAt(atMs: number): Span | undefined {
    return this.#bursts.length === 0 ? undefined : spanAt(this.#bursts, atMs);
  }

  /** Adds a step and gives the time in which, now, steps that count as a person's are part of a burst. */
  add({ linkId, atMs, isHuman }: NewStep): Span[] {
    const { windowMs } = this.limits;
    if (atMs < this.#newestMs - KEPT_WINDOWS * windowMs) return NONE;
    const isNewest = atMs >= this.#newestMs;
    if (isNewest) {
      this.#newestMs = atMs;
      this.#forgetBefore(atMs - KEPT_WINDOWS * windowMs);
    }
    this.#insert(linkId, atMs);
    const burst = this.burstAt(atMs);
    const added = this.#grow(isNewest, burst, atMs);
    return this.#ofPeople(added, isHuman, burst, atMs);
  }

  /** Whether at least so many different links lie in the window that ends with the newest step. */
  isSpread(links: number): boolean {
    if (this.#steps.length < links) return false;
    const fromMs = this.#newestMs - this.limits.windowMs;
    return new Set(this.#steps.filter(({ atMs }) => atMs >= fromMs).map(({ linkId }) => linkId)).size >= links;
  }

  #grow(isNewest: boolean, burst: Span | undefined, atMs: number): Span[] {
    if (this.#bursts.length > 0 && this.#steps.length > MOST_STEPS * (this.limits.links + 1)) this.#thinOutBursts();
    // Whatever the newest step would add to its burst lies ahead, and is found when something comes there.
    if (isNewest && burst) return NONE;
    return this.#steps.length <= this.limits.links ? NONE : this.#burstsAround(atMs);
  }

  /** Of what became part of a burst, what is not later than the last step of a person; and a person's step in a burst. */
  #ofPeople(added: Span[], isHuman: boolean, burst: Span | undefined, atMs: number): Span[] {
    const beforeMs = this.#newestHumanMs;
    if (isHuman && atMs > beforeMs) this.#newestHumanMs = atMs;
    if (added.length === 0 && !(isHuman && burst)) return added;
    const lastMs = this.#newestHumanMs;
    const spans = added
      .filter(({ fromMs }) => fromMs <= lastMs)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, lastMs) }));
    // From the one before it, so that the steps of a burst make one span and not as many as they are.
    if (isHuman && burst) spans.push({ fromMs: Math.max(burst.fromMs, Math.min(beforeMs, atMs)), toMs: atMs });
    return spans;
  }

  #insert(linkId: string, atMs: number): void {
    let at = this.#steps.length;
    while (at > 0 && (this.#steps[at - 1] as Step).atMs > atMs) at -= 1;
    if (at === this.#steps.length) this.#steps.push({ linkId, atMs });
    else this.#steps.splice(at, 0, { linkId, atMs });
    this.#thinOut(linkId);
  }

  /** Between two steps to a link that lie in one window, a third tells nothing: each window with it has one of them. */
  #thinOut(linkId: string): void {
    const steps = this.#steps;
    let next: Step | undefined;
    let middle = -1;
    for (let at = steps.length - 1; at >= 0; at -= 1) {
      const step = steps[at] as Step;
      if (step.linkId !== linkId) continue;
      if (middle >= 0 && next && next.atMs - step.atMs <= this.limits.windowMs) steps.splice(middle, 1);
      else if (middle >= 0) next = steps[middle];
      middle = at;
    }
  }

  #burstsAround(atMs: number): Span[] {
    const dense = this.#dense(atMs);
    return dense.length === 0 ? NONE : dense.flatMap((span) => addSpan(this.#bursts, span));
  }

  /** Spans around this moment in which any window holds too many links: of the shortest runs that do. */
  #dense(atMs: number): Span[] {
    const { links, windowMs } = this.limits;
    const near = this.#steps.filter((step) => Math.abs(step.atMs - atMs) <= windowMs);
    if (near.length <= links) return [];
    const found: Span[] = [];
    const counts = new Map<string, number>();
    let end = 0;
    for (const { linkId, atMs: startMs } of near) {
      while (end < near.length && counts.size <= links) {
        const { linkId: other } = near[end] as Step;
        counts.set(other, (counts.get(other) ?? 0) + 1);
        end += 1;
      }
      if (counts.size <= links) return found;
      const endMs = (near[end - 1] as Step).atMs;
      if (endMs - startMs <= windowMs) found.push({ fromMs: endMs - windowMs, toMs: startMs + windowMs });
      const left = (counts.get(linkId) ?? 0) - 1;
      if (left > 0) counts.set(linkId, left);
      else counts.delete(linkId);
    }
    return found;
  }

  #forgetBefore(atMs: number): void {
    let old = 0;
    while (old < this.#steps.length && (this.#steps[old] as Step).atMs < atMs) old += 1;
    if (old > 0) this.#steps.splice(0, old);
    while (this.#bursts[0] && this.#bursts[0].toMs < atMs) this.#bursts.shift();
  }

  /** A window that reaches into a burst needs only the first, or the last, of its links to be found to be one too. */
  #thinOutBursts(): void {
    const steps = this.#steps;
    const inBurst = (step: Step) => spanAt(this.#bursts, step.atMs);
    const kept = new Set([...this.#firstOfBursts(steps), ...this.#firstOfBursts(steps.toReversed())]);
    const left = steps.filter((step) => inBurst(step) === undefined || kept.has(step));
    steps.splice(0, steps.length, ...left);
  }

  #firstOfBursts(steps: Step[]): Step[] {
    const seen = new Map<Span, Set<string>>();
    return steps.filter(({ linkId, atMs }) => {
      const burst = spanAt(this.#bursts, atMs);
      if (!burst) return false;
      const links = seen.get(burst) ?? new Set();
      seen.set(burst, links);
      if (links.has(linkId) || links.size > this.limits.links) return false;
      links.add(linkId);
      return true;
    });
  }
}
