// stores: none
import { expect } from 'chai';
import { previousRange } from '../../../src/analytics/previousRange.ts';

const TABLE: [what: string, zone: string, range: [string, string], previous: [string, string] | null][] = [
  [
    'a range that begins within a day: right before, as long',
    'UTC',
    ['2026-11-05T10:30:00Z', '2026-11-06T10:30:00Z'],
    ['2026-11-04T10:30:00Z', '2026-11-05T10:30:00Z'],
  ],
  [
    'whole days: as many whole days',
    'UTC',
    ['2026-11-05T00:00:00Z', '2026-11-08T00:00:00Z'],
    ['2026-11-02T00:00:00Z', '2026-11-05T00:00:00Z'],
  ],
  [
    'a month: as many days, not the month before',
    'UTC',
    ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'],
    ['2026-01-29T00:00:00Z', '2026-03-01T00:00:00Z'],
  ],
  [
    'today until now: yesterday until this time',
    'Asia/Kolkata',
    ['2026-11-04T18:30:00Z', '2026-11-05T07:00:00Z'],
    ['2026-11-03T18:30:00Z', '2026-11-04T07:00:00Z'],
  ],
  [
    'a day before which clocks were set back: the longer day before it',
    'America/New_York',
    ['2026-11-02T05:00:00Z', '2026-11-03T05:00:00Z'],
    ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ],
  [
    'the day on which clocks are set back: the shorter day before it',
    'America/New_York',
    ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['2026-10-31T04:00:00Z', '2026-11-01T04:00:00Z'],
  ],
  ['what would begin before 1970: nothing', 'UTC', ['1970-01-01T00:00:00Z', '2026-11-02T05:00:00Z'], null],
];

describe('The period before, of', () => {
  for (const [what, zone, [start, end], previous] of TABLE) {
    it(what, () => {
      const range = previousRange({ start: Date.parse(start), end: Date.parse(end) }, zone);
      expect(
        range && [range.start, range.end].map((at) => new Date(at).toISOString().replace('.000', '')),
      ).to.deep.equal(previous);
    });
  }
});
