// stores: any
import { request } from 'node:http';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { AGENTS } from '../../support/agents.ts';
import type { Api } from '../../support/api.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

interface Stored {
  link_id: string;
  traffic_class: string;
  traffic_reason: string | null;
}

const PEOPLE = { 'User-Agent': AGENTS.human };
/** A peer that is no trusted proxy. */
const STRANGER = '127.0.0.2';

describe('traffic classes', () => {
  const world = useOwnWorld({ TRUSTED_PROXIES: '127.0.0.1', SCANNER_NETWORKS: '198.51.100.0/24' });
  let links: { id: string; slug: string }[];
  let others: { id: string; slug: string }[];

  before(async () => {
    const { teamId } = await firstTenant(world);
    const sibling = await makeTenant(world, teamId);
    const neighbour = await makeTenant(world);
    // A team's links in two of its projects.
    links = [...(await create(world.api, 11)), ...(await create(sibling.api, 11))];
    others = await create(neighbour.api, 12);
  });

  const create = async (api: Api, count: number): Promise<{ id: string; slug: string }[]> => {
    const bodies = Array.from({ length: count }, () => ({ destination: 'https://example.com/' }));
    const replies = await Promise.all(bodies.map((body) => api('POST', '/links', body)));
    for (const { status, body } of replies) expect(status, JSON.stringify(body)).to.equal(201);
    return replies.map(({ body }) => body);
  };
  const follow = (slug: string, headers: Record<string, string> = {}, { method = 'GET', from = '127.0.0.1' } = {}) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(`/${slug}`, world.origin);
      request(url, { method, headers: { ...PEOPLE, ...headers }, localAddress: from }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode as number));
      })
        .on('error', reject)
        .end();
    });
  const followAll = async (followed: { slug: string }[], from: string, peer = '127.0.0.1') => {
    const asked = followed.map(({ slug }) => follow(slug, { 'X-Forwarded-For': from }, { from: peer }));
    expect(new Set(await Promise.all(asked))).to.deep.equal(new Set([302]));
  };
  const stored = async (since: number): Promise<Stored[]> =>
    (await query<Stored>('SELECT link_id, traffic_class, traffic_reason FROM clicks ORDER BY occurred_at, id')).slice(
      since,
    );
  const isBurst = ({ traffic_reason }: Stored) => traffic_reason === 'burst';
  const count = async () => (await stored(0)).length;
  const clicksOn = async (followed: { id: string }[]) => {
    // On PostgreSQL counts wait a moment in link_click_sums.
    const sql = `SELECT CAST((SELECT SUM(clicks) FROM links WHERE id IN (:ids))
      + COALESCE((SELECT SUM(clicks) FROM link_click_sums WHERE link_id IN (:ids)), 0) AS INTEGER) AS n`;
    return (await query<{ n: number }>(sql, { ids: followed.map(({ id }) => id) }))[0]?.n;
  };

  const CLASSES: [what: string, headers: Record<string, string>, method: string, string, string | null][] = [
    ['a person', {}, 'GET', 'human', null],
    ['HEAD', {}, 'HEAD', 'bot', 'head'],
    ['a prerendering browser', { 'Sec-Purpose': 'prefetch;prerender' }, 'GET', 'prefetch', 'sec-purpose'],
    ['an older one', { 'X-Purpose': 'preview' }, 'GET', 'prefetch', 'sec-purpose'],
    ['no agent', { 'User-Agent': '' }, 'GET', 'bot', 'no agent'],
    ['a crawler', { 'User-Agent': AGENTS.bot }, 'GET', 'bot', 'agent'],
    ['a messenger', { 'User-Agent': 'WhatsApp/2.23.20.0 A' }, 'GET', 'bot', 'preview agent'],
    ['a mail gateway', { 'User-Agent': AGENTS.scanner }, 'GET', 'scanner', 'scanner agent'],
    ['its network', { 'X-Forwarded-For': '198.51.100.7' }, 'GET', 'scanner', 'scanner network'],
  ];

  for (const [what, headers, method, trafficClass, reason] of CLASSES) {
    it(`${what}: ${trafficClass}, and only people count on the link`, async () => {
      const [link] = others;
      const [before, counted] = [await count(), await clicksOn(others)];
      expect(await follow(link?.slug as string, headers, { method })).to.equal(302);
      await until(async () => (await count()) > before, 'the click');
      const [click] = await stored(before);
      expect(click).to.deep.equal({ link_id: link?.id, traffic_class: trafficClass, traffic_reason: reason });
      expect(await clicksOn(others)).to.equal((counted as number) + (trafficClass === 'human' ? 1 : 0));
    });
  }

  it('X-Forwarded-For of an untrusted peer changes nothing', async () => {
    const before = await count();
    await follow(others[0]?.slug as string, { 'X-Forwarded-For': '198.51.100.7' }, { from: STRANGER });
    await until(async () => (await count()) === before + 1, 'the click');
    expect((await stored(before)).map(({ traffic_class }) => traffic_class)).to.deep.equal(['human']);
  });

  it('20 links from one address, and 11 each of two teams from another, count as people’s', async () => {
    const before = await count();
    await followAll(links.slice(0, 20), '192.0.2.20');
    await followAll([...links.slice(0, 11), ...others.slice(0, 11)], '192.0.2.11');
    // Two addresses that together follow more.
    await followAll(links.slice(0, 11), '192.0.2.31');
    await followAll(links.slice(11), '192.0.2.32');
    await until(async () => (await count()) === before + 64, 'all clicks');
    // A burst that comes after them is found; so they have been looked at.
    await followAll(links.slice(0, 21), '192.0.2.21');
    await until(async () => (await stored(before)).filter(isBurst).length === 21, 'the burst');
    const clicks = await stored(before);
    expect(clicks).to.have.length(85);
    expect(clicks.filter(({ traffic_class }) => traffic_class === 'human')).to.have.length(64);
  });

  it('21 links of a team from one address are a scanner’s and count on no link, whatever it says it is', async () => {
    const [before, counted] = [await count(), await clicksOn(links)];
    for (const [at, link] of links.slice(0, 21).entries())
      await follow(link.slug, { 'X-Forwarded-For': `192.0.2.${at}` }, { from: STRANGER });
    await until(async () => (await stored(before)).filter(isBurst).length === 21, 'the burst');
    expect((await stored(before)).map(({ traffic_class }) => traffic_class)).to.deep.equal(
      new Array(21).fill('scanner'),
    );
    expect(await clicksOn(links)).to.equal(counted);
  });
});
