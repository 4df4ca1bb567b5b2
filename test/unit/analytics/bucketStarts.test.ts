// stores: none
import { expect } from 'chai';
import { bucketStarts, defaultGranularity } from '../../../src/analytics/bucketStarts.ts';
import { CodedError } from '../../../src/kernel/errors.ts';

const CASES: [why: string, granularity: string, zone: string, start: string, end: string, starts: string[]][] = [
  [
    'an hour that the clocks leave out',
    'hour',
    'America/New_York',
    '2026-03-08T05:10Z',
    '2026-03-08T08:00Z',
    ['2026-03-08T05:00Z', '2026-03-08T06:00Z', '2026-03-08T07:00Z'],
  ],
  [
    'an hour that the clocks show twice',
    'hour',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T07:30Z',
    ['2026-11-01T05:00Z', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
  ],
  [
    'half an hour from UTC',
    'hour',
    'Asia/Kolkata',
    '2026-11-01T05:00Z',
    '2026-11-01T06:40Z',
    ['2026-11-01T04:30Z', '2026-11-01T05:30Z', '2026-11-01T06:30Z'],
  ],
  [
    'clocks that jump by half an hour',
    'hour',
    'Australia/Lord_Howe',
    '2026-10-03T14:00Z',
    '2026-10-03T17:00Z',
    ['2026-10-03T13:30Z', '2026-10-03T14:30Z', '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
  ],
  [
    'from within the hour that is half as long',
    'hour',
    'Australia/Lord_Howe',
    '2026-10-03T15:40Z',
    '2026-10-03T16:10Z',
    ['2026-10-03T15:30Z', '2026-10-03T16:00Z'],
  ],
  [
    'days of 23 and 25 hours',
    'day',
    'America/New_York',
    '2026-03-08T05:00Z',
    '2026-03-10T04:00Z',
    ['2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ],
  [
    'a midnight that does not exist',
    'day',
    'America/Santiago',
    '2026-09-05T12:00Z',
    '2026-09-07T03:30Z',
    ['2026-09-05T04:00Z', '2026-09-06T04:00Z', '2026-09-07T03:00Z'],
  ],
  [
    'a day whose last hour comes twice',
    'day',
    'America/Santiago',
    '2026-04-05T03:30Z',
    '2026-04-05T04:30Z',
    ['2026-04-04T03:00Z', '2026-04-05T04:00Z'],
  ],
  [
    'a midnight that comes twice',
    'day',
    'America/Havana',
    '2026-11-01T05:30Z',
    '2026-11-02T06:00Z',
    ['2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ],
  [
    'a date that was left out',
    'day',
    'Pacific/Apia',
    '2011-12-29T20:00Z',
    '2012-01-01T00:00Z',
    ['2011-12-29T10:00Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
  ],
  [
    'weeks begin on Monday',
    'week',
    'UTC',
    '2026-11-01T00:00Z',
    '2026-11-09T00:00Z',
    ['2026-10-26T00:00Z', '2026-11-02T00:00Z'],
  ],
  [
    'a Sunday here that is Monday there',
    'week',
    'Pacific/Auckland',
    '2026-11-01T12:00Z',
    '2026-11-02T00:00Z',
    ['2026-11-01T11:00Z'],
  ],
  [
    'months, the 31st included',
    'month',
    'UTC',
    '2026-01-31T10:00Z',
    '2026-04-01T00:00Z',
    ['2026-01-01T00:00Z', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
  ],
  [
    'minutes',
    'minute',
    'Asia/Kolkata',
    '2026-01-31T10:00:30Z',
    '2026-01-31T10:02:00Z',
    ['2026-01-31T10:00Z', '2026-01-31T10:01Z'],
  ],
];

describe('Buckets of a time series', () => {
  for (const [why, granularity, zone, start, end, expected] of CASES) {
    it(`${granularity} in ${zone}: ${why}`, () => {
      const starts = bucketStarts({ start: Date.parse(start), end: Date.parse(end) }, granularity, zone);
      expect(starts.map((at) => new Date(at).toISOString())).to.deep.equal(
        expected.map((at) => new Date(at).toISOString()),
      );
    });
  }

  it('are at most 10,000', () => {
    const start = Date.parse('2026-01-01T00:00Z');
    const minutes = (count: number) => bucketStarts({ start, end: start + count * 60_000 }, 'minute', 'UTC');
    expect(minutes(10_000)).to.have.length(10_000);
    expect(() => minutes(10_001)).to.throw(CodedError, 'granularity: There are more than 10,000');
  });

  const HOUR = 3_600_000;
  for (const [hours, granularity] of [
    [1, 'minute'],
    [24, 'hour'],
    [7 * 24, 'day'],
    [90 * 24, 'day'],
    [365 * 24, 'month'],
  ] as const) {
    it(`of ${hours} hours are by ${granularity} where nothing is said`, () => {
      expect(defaultGranularity({ start: 0, end: hours * HOUR })).to.equal(granularity);
    });
  }
});
