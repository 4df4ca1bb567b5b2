// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { type Candidate, chooseClick, MARGIN } from '../../../src/attribution/decide/chooseClick.ts';
import { THRESHOLD } from '../../../src/attribution/decide/score.ts';
import { AT, candidateOf, DEVICE, HOUR_MS, OWN, SHARED } from '../../support/matchCandidates.ts';

const candidates = fc.array(
  fc
    .record({
      linkId: fc.constantFrom('lnk_1', 'lnk_2', 'lnk_3'),
      visitor: fc.constantFrom('visitor-1', 'visitor-2', 'visitor-3'),
      secondsAgo: fc.integer({ min: -60, max: 7200 }),
      platform: fc.constantFrom('ios', 'ios', 'ios', 'android', 'windows'),
      osVersion: fc.constantFrom(null, '18.6', '18', '17.4'),
      deviceModel: fc.constantFrom(null, 'iPhone', 'iPad'),
      language: fc.constantFrom(null, 'de-de', 'de', 'en-us'),
      usedBy: fc.constantFrom(null, null, null, '', 'somebody'),
      windowMs: fc.constantFrom(60_000, HOUR_MS, 24 * HOUR_MS),
      linkState: fc.constantFrom('good', 'good', 'good', 'gone', 'flagged'),
    })
    .map(({ secondsAgo, windowMs, linkState, ...click }) =>
      candidateOf({ ...click, clickedAt: AT - secondsAgo * 1000 }, { windowMs, linkState }),
    ),
  { maxLength: 12 },
);
/** Ids as the clicks stand there. */
const numbered = candidates.map((all) =>
  all.map((one, at): Candidate => ({ ...one, click: { ...one.click, clickId: `clk_${at}` } })),
);

describe('choosing, whatever the clicks', () => {
  it('takes no click that was used, is outside of its window, of another platform or of a link that is gone', () => {
    fc.assert(
      fc.property(numbered, fc.boolean(), (given, isShared) => {
        const { chosen, scored } = chooseClick(given, DEVICE, isShared ? SHARED : OWN);
        expect(scored).to.have.length(given.length);
        expect(scored.filter(({ verdict }) => verdict === 'matched')).to.deep.equal(chosen ? [chosen] : []);
        if (!chosen) return;
        const { click, windowMs, linkState, score } = chosen;
        expect([click.usedBy, click.platform, linkState]).to.deep.equal([null, 'ios', 'good']);
        expect(AT - click.clickedAt).to.be.within(-5000, windowMs);
        expect(score).to.be.at.least(THRESHOLD);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes the worse of two, nor one of several links that are as likely', () => {
    fc.assert(
      fc.property(numbered, (given) => {
        const { chosen, scored } = chooseClick(given, DEVICE, OWN);
        const scores = scored.map(({ score }) => score);
        expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
        if (!chosen) return;
        for (const { verdict, score, click } of scored) {
          if (verdict !== 'less_likely' && verdict !== 'below_threshold') continue;
          expect(score).to.be.at.most(chosen.score - (click.linkId === chosen.click.linkId ? 0 : MARGIN));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same in whatever order they come', () => {
    const told = (given: Candidate[]) => {
      const { chosen, margin } = chooseClick(given, DEVICE, OWN);
      return [chosen?.score, chosen?.click.linkId, chosen?.click.clickedAt, margin];
    };
    fc.assert(
      fc.property(
        numbered.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          expect(told(shuffled)).to.deep.equal(told(given));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('one more click takes a match away at most: by being better, or as good on another link', () => {
    fc.assert(
      fc.property(numbered, numbered, (given, [one]) => {
        fc.pre(one !== undefined);
        const before = chooseClick(given, DEVICE, OWN).chosen;
        // The last click of one visitor counts, whether or not it is the best.
        fc.pre(before?.click.visitor !== one?.click.visitor);
        const added = { ...(one as Candidate), click: { ...(one as Candidate).click, clickId: 'clk_added' } };
        const { chosen, scored } = chooseClick([...given, added], DEVICE, OWN);
        if (!before || chosen?.click.clickId === before.click.clickId) return;
        expect(chosen?.click.clickId ?? 'clk_added').to.equal('clk_added');
        const { score = 0, click } = scored.find((each) => each.click.clickId === 'clk_added') ?? {};
        expect(score).to.be.greaterThan(before.score - (click?.linkId === before.click.linkId ? 1 : MARGIN));
      }),
      { numRuns: 500 },
    );
  });
});
