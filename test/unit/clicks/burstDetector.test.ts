// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { BurstDetector, type ObservedClick } from '../../../src/clicks/bursts/BurstDetector.ts';
import { addSpan, KEPT_WINDOWS, type Span } from '../../../src/clicks/bursts/Trail.ts';

const LIMITS = { links: 3, windowMs: 10 };

const step = (atMs: number, link: number | string, values: Partial<ObservedClick> = {}): ObservedClick => ({
  teamId: 'team',
  addressHash: 'address',
  linkId: `link-${link}`,
  occurredAt: atMs,
  isHuman: true,
  ...values,
});

/** Every step of which some window holds more links than the limit. */
function naive(steps: ObservedClick[], { links, windowMs } = LIMITS): Set<ObservedClick> {
  const found = new Set<ObservedClick>();
  for (const { occurredAt: fromMs } of steps) {
    const window = steps.filter(({ occurredAt }) => occurredAt >= fromMs && occurredAt <= fromMs + windowMs);
    if (new Set(window.map(({ linkId }) => linkId)).size > links) for (const one of window) found.add(one);
  }
  return found;
}

/** The steps that the detector names, seen in this order. */
function detected(seen: ObservedClick[], detector = new BurstDetector(LIMITS)): Set<ObservedClick> {
  const spans = seen.flatMap((one) => detector.observe(one));
  return new Set(seen.filter(({ occurredAt }) => spans.some((span) => holds(span, occurredAt))));
}

const holds = ({ fromMs, toMs }: Span, atMs: number) => fromMs <= atMs && atMs <= toMs;
const listed = (steps: Set<ObservedClick>) =>
  [...steps].map(({ occurredAt, linkId }) => `${occurredAt} ${linkId}`).sort();

/** Steps with gaps, so that bursts begin, go on and end; `late`: by how much each may come late. */
const walks = (late: number) =>
  fc
    .array(
      fc.record({
        gapMs: fc.oneof(fc.nat(2), fc.nat(6), fc.nat(30)),
        link: fc.nat(7),
        lateMs: fc.nat(late),
        isHuman: fc.boolean(),
      }),
      { maxLength: 120 },
    )
    .map((gaps) => {
      let atMs = 1000;
      const walk = gaps.map(({ gapMs, link, lateMs, isHuman }) => {
        atMs += gapMs;
        return { seenAt: atMs + lateMs, step: step(atMs, link, { isHuman }) };
      });
      return walk.toSorted((a, b) => a.seenAt - b.seenAt).map((one) => one.step);
    });

describe('the detector of bursts', () => {
  it('names all steps of a burst from its first on, and those that follow while it goes on', () => {
    const burst = [step(100, 1), step(103, 2), step(106, 3), step(110, 4)];
    const more = [step(112, 5), step(113, 6), step(116, 4)];
    const after = [step(130, 1), step(139, 2)];
    const before = [step(80, 4), step(95, 3)];
    expect(listed(detected([...before, ...burst, ...more, ...after]))).to.deep.equal(
      listed(new Set([...burst, ...more])),
    );
  });

  it('allows as many links as the limit, however often each is followed', () => {
    const steps = Array.from({ length: 500 }, (_, at) => step(100 + (at % 10), at % LIMITS.links));
    expect(detected(steps).size).to.equal(0);
  });

  it('adds up no two addresses and no two teams', () => {
    const apart = (values: (at: number) => Partial<ObservedClick>) =>
      Array.from({ length: 6 }, (_, at) => step(100, at, values(at % 2)));
    expect(detected(apart((half) => ({ addressHash: `address-${half}` }))).size).to.equal(0);
    expect(detected(apart((half) => ({ teamId: `team-${half}` }))).size).to.equal(0);
  });

  it('finds what a look at the whole list finds', () => {
    fc.assert(
      fc.property(walks(0), (steps) => {
        const people = ({ isHuman }: ObservedClick) => isHuman;
        expect(listed(new Set([...detected(steps)].filter(people)))).to.deep.equal(
          listed(new Set([...naive(steps)].filter(people))),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('finds the same in any order that is not too late', () => {
    const late = (KEPT_WINDOWS - 1) * LIMITS.windowMs;
    fc.assert(
      fc.property(walks(late), (steps) => {
        const people = steps.map((one) => ({ ...one, isHuman: true }));
        expect(listed(detected(people))).to.deep.equal(listed(naive(people)));
      }),
      { numRuns: 200 },
    );
  });

  it('forgets what would fill its memory: steps of a long burst, and addresses that were quiet for longest', () => {
    const one = new BurstDetector(LIMITS);
    for (let at = 0; at < 50_000; at += 1) one.observe(step(at / 1000, at));
    expect(one.size).to.be.below(40);
    const many = new BurstDetector(LIMITS, 1000);
    for (let at = 0; at < 50_000; at += 1) many.observe(step(at, at, { addressHash: `address-${at}` }));
    expect(many.size).to.equal(1000);
    expect(detected([step(49_999, 1), step(50_000, 2), step(50_001, 3), step(50_001, 4)], many).size).to.equal(4);
  });

  it('names little again: in a burst that goes on, only steps that count as a person’s', () => {
    const detector = new BurstDetector(LIMITS);
    for (let at = 0; at < 4; at += 1) detector.observe(step(at, at));
    const marked = Array.from({ length: 1000 }, (_, at) => step(4 + at, at, { isHuman: false }));
    expect(marked.flatMap((one) => detector.observe(one))).to.deep.equal([]);
    expect(detector.burstOf(step(1000, 0))).to.not.equal(undefined);
  });
});

describe('spans', () => {
  it('say what a new one adds, and stay apart and in order', () => {
    const moments = fc.tuple(fc.nat(60), fc.nat(15)).map(([fromMs, length]) => ({ fromMs, toMs: fromMs + length }));
    fc.assert(
      fc.property(fc.array(moments, { maxLength: 12 }), (added) => {
        const spans: Span[] = [];
        for (const [at, span] of added.entries()) {
          const before = added.slice(0, at);
          const fresh = addSpan(spans, span);
          for (let moment = 0; moment < 80; moment += 0.5) {
            const isIn = added.slice(0, at + 1).some((one) => holds(one, moment));
            expect(spans.some((one) => holds(one, moment))).to.equal(isIn);
            if (!isIn) continue;
            const isNew = !before.some((one) => holds(one, moment));
            if (isNew) expect(fresh.some((one) => holds(one, moment))).to.equal(true);
          }
        }
        for (let at = 1; at < spans.length; at += 1)
          expect((spans[at] as Span).fromMs).to.be.above((spans[at - 1] as Span).toMs);
      }),
    );
  });
});
