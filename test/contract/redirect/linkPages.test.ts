// stores: any
import { expect } from 'chai';
import fc from 'fast-check';
import { database } from '../../../src/db/connection/database.ts';
import { sqlTime, withJsonRows } from '../../../src/db/jsonRows.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import type { Api, Reply } from '../../support/api.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

/** More than is read in order before a rare filter is looked up instead. */
const LINKS = 2400;
const RUNS = 60;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');

interface Known {
  id: string;
  slug: string;
  title: string;
  destination: string;
  tags: string[];
  status: string;
  clicks: number;
  lastClickedAt: number | null;
  createdAt: number;
}

type Query = Record<string, string>;

/** What each filter asks for, as simply as can be said. */
const FILTERS: Record<string, (link: Known, wanted: string) => boolean> = {
  search: ({ slug, title, destination }, wanted) =>
    [slug, title, destination].some((text) => text.toLowerCase().includes(wanted.toLowerCase())),
  tag: ({ tags }, wanted) => tags.includes(wanted),
  status: ({ status }, wanted) => status === wanted,
  created_after: ({ createdAt }, wanted) => createdAt >= Date.parse(wanted),
  created_before: ({ createdAt }, wanted) => createdAt < Date.parse(wanted),
};

const SORTS: Record<string, (link: Known) => number> = {
  created_at: ({ createdAt }) => createdAt,
  clicks: ({ clicks }) => clicks,
  last_clicked_at: ({ lastClickedAt }) => lastClickedAt ?? Number.NEGATIVE_INFINITY,
};

describe('pages of many links', () => {
  let world: World;
  let api: Api;
  let links: Known[];

  before(async function () {
    this.timeout(180_000);
    world = await joinWorld();
    const { teamId } = await firstTenant(world);
    ({ api } = await makeTenant(world, teamId));
    links = [];
    for (let begin = 0; begin < LINKS; begin += 800) await make(begin, begin + 800);
    await settle();
    if (database().getDialect() === 'postgres') await database().query('ANALYZE');
  });
  after(() => world.stop());

  const make = async (begin: number, end: number) => {
    const bodies = Array.from({ length: end - begin }, (_, index) => {
      const at = begin + index;
      return {
        slug: `Page-${at}${at % 700 === 3 ? '-needle' : ''}`,
        destination: `https://www.example.com/${at % 900 === 5 ? 'Rare' : 'usual'}/${at}`,
        title: `Title ${at}`,
        tags: [...(at % 2 ? ['half'] : []), ...(at % 400 === 7 ? ['few'] : []), ...(at < 500 ? ['old'] : [])],
        ...(at % 300 === 11 ? { expires_at: '2020-01-01T00:00:00Z' } : {}),
        ...(at % 500 === 13 ? { starts_at: '2090-01-01T00:00:00Z' } : {}),
      };
    });
    const { body } = await api('POST', '/links/bulk', { links: bodies });
    body.results.forEach(({ link }: { link: Known & { status: string } }, index: number) => {
      const at = begin + index;
      links.push({
        ...link,
        clicks: at % 10,
        lastClickedAt: at % 3 ? START + (at % 50) * DAY_MS : null,
        // Several of one moment, on both sides of the ends of pages.
        createdAt: START + Math.floor(at / 7) * 60_000,
      });
    });
  };

  const settle = () =>
    inTransaction((transaction) =>
      withJsonRows(
        { id: 'text', clicks: 'integer', last_clicked_at: 'time', created_at: 'time' },
        links.map(({ id, clicks, lastClickedAt, createdAt }) => [
          id,
          clicks,
          lastClickedAt === null ? null : sqlTime(lastClickedAt),
          sqlTime(createdAt),
        ]),
        `UPDATE links SET clicks = given.clicks, last_clicked_at = given.last_clicked_at,
           created_at = given.created_at FROM given WHERE links.id = given.id`,
        transaction,
      ),
    );

  const expected = ({ sort = 'created_at', order, ...filters }: Query) => {
    const value = SORTS[sort] as (link: Known) => number;
    const found = links.filter((link) =>
      Object.entries(filters).every(([name, wanted]) => FILTERS[name]?.(link, wanted)),
    );
    found.sort((a, b) => value(b) - value(a) || (a.id < b.id ? 1 : -1));
    return (order === 'asc' ? found.reverse() : found).map(({ slug }) => slug);
  };

  const walk = async (query: Query, limit: number, pages: number) => {
    const slugs: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < pages && cursor !== null; page += 1) {
      const asked: URLSearchParams = new URLSearchParams({
        ...query,
        limit: String(limit),
        ...(cursor ? { cursor } : {}),
      });
      const { status, body }: Reply = await api('GET', `/links?${asked}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      slugs.push(...body.data.map(({ slug }: Known) => slug));
      cursor = body.next_cursor;
    }
    return { slugs, isEnd: cursor === null };
  };

  it('are those that a plain filter and sort of all links give', async function () {
    this.timeout(120_000);
    const time = fc.integer({ min: 0, max: 360 }).map((minute) => new Date(START + minute * 60_000).toISOString());
    const query = fc.record(
      {
        search: fc.constantFrom('needle', 'NEEDLE', 'rare', 'usual', 'page-1', 'title 23', 'e', 'zz', 'nothing', '-3'),
        tag: fc.constantFrom('half', 'few', 'old'),
        status: fc.constantFrom('active', 'expired', 'scheduled', 'archived', 'flagged'),
        created_after: time,
        created_before: time,
        sort: fc.constantFrom('created_at', 'clicks', 'last_clicked_at'),
        order: fc.constantFrom('asc', 'desc'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Query>;
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(1, 7, 50, 100), async (asked, limit) => {
        const all = expected(asked);
        const { slugs, isEnd } = await walk(asked, limit, 6);
        expect(slugs).to.deep.equal(all.slice(0, limit * 6));
        expect(isEnd).to.equal(all.length <= limit * 6);
        const { sort: _, order: __, ...filters } = asked;
        const { body } = await api('GET', `/links/count?${new URLSearchParams(filters)}`);
        expect(body.count).to.equal(all.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('reach the last link', async function () {
    this.timeout(180_000);
    for (const sort of Object.keys(SORTS)) {
      const { slugs, isEnd } = await walk({ sort }, 100, LINKS / 100);
      expect(isEnd).to.equal(true);
      expect(slugs).to.deep.equal(expected({ sort }));
    }
  });
});
