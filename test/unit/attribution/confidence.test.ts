// stores: none
import { expect } from 'chai';
import { CONFIDENCE, confidenceOf, THRESHOLD } from '../../../src/attribution/decide/score.ts';
import { MAX_CONFIDENCE, matchOf } from '../../../src/models/match.ts';

describe('the confidence of a guess', () => {
  it('never falls as the score rises, and is never above 99', () => {
    const said = Array.from({ length: 200 }, (_, at) => confidenceOf(THRESHOLD + at));
    expect(said).to.deep.equal(said.toSorted((one, other) => one - other));
    expect([Math.min(...said) > 0, Math.max(...said)]).to.deep.equal([true, MAX_CONFIDENCE]);
    expect(CONFIDENCE[0]?.[0]).to.equal(THRESHOLD);
  });

  it('is shown with the sum of the points, also of guesses that were stored with another', () => {
    const factors = [
      { name: 'address', points: 85 },
      { name: 'recency', points: -4 },
    ];
    const guess = { method: 'probabilistic' as const, confidence: 100, factors, clickedAt: null };
    expect(matchOf(guess)).to.include({ confidence: 99, score: 81, guaranteed: false });
    const sure = { method: 'clipboard' as const, confidence: 100, factors: [], clickedAt: null };
    expect(matchOf(sure)).to.include({ confidence: 100, score: null, guaranteed: true });
  });
});
