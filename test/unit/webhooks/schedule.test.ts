// stores: none
import { expect } from 'chai';
import { SETTINGS } from '../../../src/kernel/settings/table.ts';
import { nextGapSeconds, retryAfterSeconds } from '../../../src/webhooks/decideOutcome.ts';

const gaps = SETTINGS.webhookRetrySeconds.fallback;
const middle = () => 0.5;
const next = (made: number, retryAfter: number | null = null, random = middle) =>
  nextGapSeconds(made, gaps, { retryAfterSeconds: retryAfter, random });

describe('the schedule of attempts', () => {
  it('has one attempt more than gaps', () => {
    const all = Array.from({ length: 12 }, (_, index) => next(index + 1));
    const [seconds, minutes, hours] = [1, 60, 3600];
    expect(all).to.deep.equal([
      15 * seconds,
      1 * minutes,
      5 * minutes,
      20 * minutes,
      1 * hours,
      2 * hours,
      4 * hours,
      6.5 * hours,
      10 * hours,
      null,
      null,
      null,
    ]);
    expect(nextGapSeconds(1, [], { retryAfterSeconds: 60, random: middle })).to.equal(null);
  });

  it('moves each gap by up to a tenth', () => {
    expect(next(2, null, () => 0)).to.be.closeTo(54, 1e-6);
    expect(next(2, null, () => 0.999_999)).to.be.closeTo(66, 1e-3);
  });

  it('is only ever lengthened by Retry-After, to at most two hours', () => {
    const cases: [made: number, retryAfter: number, expected: number | null][] = [
      [1, 0, 15],
      [1, 10, 15],
      [1, 120, 120],
      [1, 7200, 7200],
      [1, 7201, 7200],
      [1, 999_999_999, 7200],
      [9, 60, 36_000],
      [9, 999_999, 36_000],
      [10, 60, null],
    ];
    for (const [made, retryAfter, expected] of cases) {
      expect(next(made, retryAfter), `${made}, ${retryAfter}`).to.equal(expected);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-01T12:00:00.000Z');

  it('is read as seconds or as a date, with 429 and 503 alone', () => {
    const cases: [value: string | null, expected: number | null][] = [
      ['120', 120],
      [' 120 ', 120],
      ['0', 0],
      ['Sun, 01 Nov 2026 12:01:00 GMT', 60],
      ['Sunday, 01-Nov-26 12:01:00 GMT', 60],
      ['Sun Nov  1 12:01:00 2026', 60],
      ['Sun, 01 Nov 2026 11:00:00 GMT', 0],
      ['Sun, 99 Nov 2026 12:01:00 GMT', null],
      ['-5', null],
      ['1.5', null],
      ['1e3', null],
      ['9'.repeat(400), null],
      ['2026-11-01T12:01:00Z', null],
      ['soon', null],
      ['', null],
      [null, null],
    ];
    for (const [value, expected] of cases) {
      expect(retryAfterSeconds(value, 429, now), `${value}`).to.equal(expected);
      expect(retryAfterSeconds(value, 503, now), `${value}`).to.equal(expected);
      for (const status of [200, 302, 400, 500, 502]) expect(retryAfterSeconds(value, status, now)).to.equal(null);
    }
  });
});
