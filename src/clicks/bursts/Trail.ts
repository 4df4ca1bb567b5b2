/** A visit through a link by a person, or by what was taken for one. */
interface Step {
  linkId: string;
  atMs: number;
}

/** `isHuman`: the store still counts it as a person's. */
type NewStep = Step & { isHuman: boolean };

export interface BurstLimits {
  /** More different links than this make a burst. */
  links: number;
  /** Length of the window in which they lie. */
  windowMs: number;
}

/** Number of windows that steps are kept, and by which a step may come late. */
export const KEPT_WINDOWS = 6;

/** From this many steps for each link of a burst on, those inside bursts are thinned out. */
const STEPS_PER_LINK = 6;

const NONE: Span[] = [];

/**
 * The latest steps of one address through the links of a team, in any order of arrival. A step belongs to a burst when some window
 * around it has more different links than the limit. The trail keeps only what later steps need to be decided: about two steps
 * for each link and window, and the two ends of a long burst.
 */
export class Trail {
  readonly #steps: Step[] = [];
  /** Every step within these belongs to a burst, whenever it arrives. */
  readonly #bursts: Span[] = [];
  #newestMs = Number.NEGATIVE_INFINITY;
  #newestHumanMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly limits: BurstLimits) {}

  /** Steps in memory. */
  get size(): number {
    return this.#steps.length;
  }

  /** The burst at this time. */
  burstAt(atMs: number): Span | undefined {
    return this.#bursts.length === 0 ? undefined : spanAt(this.#bursts, atMs);
  }

  /** Adds a step, and returns the spans in which steps that count as a person's have become part of a burst. */
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

  /** Whether the window that ends with the newest step has at least `links` different links. */
  isSpread(links: number): boolean {
    if (this.#steps.length < links) return false;
    const fromMs = this.#newestMs - this.limits.windowMs;
    return new Set(this.#steps.filter(({ atMs }) => atMs >= fromMs).map(({ linkId }) => linkId)).size >= links;
  }

  #grow(isNewest: boolean, burst: Span | undefined, atMs: number): Span[] {
    if (this.#bursts.length > 0 && this.#steps.length > STEPS_PER_LINK * (this.limits.links + 1)) this.#thinOutBursts();
    // The newest step could extend its burst only into the future, and a later step will find that.
    if (isNewest && burst) return NONE;
    return this.#steps.length <= this.limits.links ? NONE : this.#burstsAround(atMs);
  }

  /** The part of `added` that is not later than the last step of a person, and the step itself if a person's one in a burst. */
  #ofPeople(added: Span[], isHuman: boolean, burst: Span | undefined, atMs: number): Span[] {
    const beforeMs = this.#newestHumanMs;
    if (isHuman && atMs > beforeMs) this.#newestHumanMs = atMs;
    if (added.length === 0 && !(isHuman && burst)) return added;
    const lastMs = this.#newestHumanMs;
    const spans = added
      .filter(({ fromMs }) => fromMs <= lastMs)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, lastMs) }));
    // Beginning at the step before, so that the steps of a burst make one span instead of one each.
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

  /** Between two steps to a link within one window, a third is redundant: every window with it has one of the two. */
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

  /** Spans around this time in which every window has too many links, from the shortest runs of steps that have. */
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

/** A span of time including both ends, in milliseconds since the epoch. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** The span that contains this time. */
function spanAt(spans: readonly Span[], atMs: number): Span | undefined {
  return spans.find(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
}

/** Adds a span to disjoint spans in the order of time, and returns the parts that were in none of them. */
export function addSpan(spans: Span[], { fromMs, toMs }: Span): Span[] {
  const touched = spans.filter((span) => span.fromMs <= toMs && fromMs <= span.toMs);
  const first = touched[0];
  const last = touched.at(-1);
  const at = first ? spans.indexOf(first) : spans.filter((span) => span.toMs < fromMs).length;
  const whole = { fromMs: Math.min(fromMs, first?.fromMs ?? fromMs), toMs: Math.max(toMs, last?.toMs ?? toMs) };
  spans.splice(at, touched.length, whole);
  const added: Span[] = [];
  let reachedMs = fromMs;
  for (const span of touched) {
    if (span.fromMs > reachedMs) added.push({ fromMs: reachedMs, toMs: span.fromMs });
    reachedMs = Math.max(reachedMs, span.toMs);
  }
  if (toMs > reachedMs || touched.length === 0) added.push({ fromMs: reachedMs, toMs });
  return added;
}
