// stores: none
import { expect } from 'chai';
import { type Orphan, OrphanTally } from '../../../src/redirect/OrphanTally.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');

const orphan = (values: Partial<Orphan> = {}): Orphan => ({
  projectId: null,
  domain: 'go.example.com',
  slug: 'nothing',
  occurredAt: NOON,
  trafficClass: 'human',
  country: 'DE',
  region: null,
  city: null,
  platform: 'ios',
  device: 'mobile',
  browser: null,
  language: 'de',
  referrerHost: null,
  visitor: 'visitor-1',
  ...values,
});
const summed = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);

describe('orphans in memory', () => {
  it('get rows of their own up to the limit of a minute, then are counted by domain and class', () => {
    const tally = new OrphanTally({ perMinute: 2, waiting: 100 });
    for (let at = 0; at < 10; at += 1) tally.add(orphan());
    tally.add(orphan({ domain: 'other.example.com' }));
    tally.add(orphan({ trafficClass: 'bot' }));
    const rows = tally.take(100);
    expect(rows.map(({ slug, count }) => [slug, count])).to.deep.equal([
      ['nothing', 1],
      ['nothing', 1],
      [null, 8],
      [null, 1],
      [null, 1],
    ]);
    expect(rows[2]).to.include({ country: null, platform: null, visitor: '', occurredAt: NOON });
    tally.add(orphan({ occurredAt: NOON + 60_000 }));
    expect(tally.take(100)[0]).to.include({ slug: 'nothing', occurredAt: NOON + 60_000 });
    expect(tally.take(100)).to.deep.equal([]);
  });

  it('are bounded in rows while the store is down, and lose no count', () => {
    const tally = new OrphanTally({ perMinute: 1_000_000, waiting: 50 });
    for (let at = 0; at < 1000; at += 1) tally.add(orphan({ occurredAt: NOON + at * 10_000 }));
    const taken = [tally.take(40), tally.take(40), tally.take(1000)].flat();
    // 50 single ones, and one for each quarter of the hours that followed.
    expect(taken).to.have.length(50 + 12);
    expect(summed(taken)).to.equal(1000);
  });

  it('keep their ids when they could not be written', () => {
    const tally = new OrphanTally({ perMinute: 1, waiting: 50 });
    for (let at = 0; at < 5; at += 1) tally.add(orphan());
    const rows = tally.take(10);
    tally.requeue(rows);
    expect(tally.take(1)).to.deep.equal(rows.slice(0, 1));
    expect(tally.take(10)).to.deep.equal(rows.slice(1));
  });
});
