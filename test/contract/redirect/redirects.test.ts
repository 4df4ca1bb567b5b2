// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
import { AGENTS } from '../../support/agents.ts';
import {
  DESTINATION,
  expectLocation,
  expectPage,
  OVER,
  PLAIN,
  ROOT,
  UNKNOWN,
  useLinkDomains,
} from '../../support/linkDomains.ts';
import type { RawAsk } from '../../support/rawRequest.ts';
import { firstTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

const LATE = 'https://www.example.com/late';
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2099-01-01T00:00:00.000Z';
/** Addresses of two countries, as the bundled database has them. */
const GERMAN = '193.99.144.80';
const AMERICAN = '8.8.8.8';

describe('redirects', () => {
  const { world, ask, create } = useLinkDomains();
  const leads = async (path: string, more?: RawAsk) => (await ask(path, more)).headers.location;
  const set = (id: string, values: Partial<Link>) =>
    inTransaction((transaction) => Link.update(values, { where: { id }, transaction }));

  describe('in their order', () => {
    /** [what, link, done to it, Location where the domain names places, status of the page where it does not] */
    const cases: [string, object, (id: string) => Promise<unknown>, string | null, number][] = [
      ['archived', {}, (id) => world().api('POST', `/links/${id}/archive`), UNKNOWN, 404],
      ['archived and expired', { expires_at: PAST }, (id) => world().api('POST', `/links/${id}/archive`), UNKNOWN, 404],
      ['not started', { starts_at: FUTURE }, async () => {}, UNKNOWN, 404],
      ['not started, with a password', { starts_at: FUTURE }, (id) => set(id, { passwordHash: 'x' }), UNKNOWN, 404],
      ['expired', { expires_at: PAST }, async () => {}, OVER, 410],
      ['expired, with a password', { expires_at: PAST }, (id) => set(id, { passwordHash: 'x' }), OVER, 410],
      ['over its limit', { click_limit: 2 }, (id) => set(id, { clicks: 2 }), OVER, 410],
      ['flagged', {}, (id) => flagLink(id, 'malware'), null, 404],
      [
        'flagged, archived and expired',
        { expires_at: PAST },
        (id) => set(id, { flaggedAt: new Date(), archivedAt: new Date() }),
        null,
        404,
      ],
    ];
    for (const [what, body, change, location, status] of cases) {
      it(what, async () => {
        const rule = { when: { platform: ['ios'] }, destination: 'https://www.example.com/rule' };
        const { id, slug } = await create({ ...body, routing: { rules: [rule] } });
        await change(id);
        const reply = await ask(`/${slug}?v=1`);
        if (location === null) expectPage(reply, status);
        else expectLocation(reply, location);
        await set(id, { domain: PLAIN });
        expectPage(await ask(`/${slug}?v=1`, { host: PLAIN }), status);
      });
    }

    it('unknown: the domain’s destination, else a page; likewise for its root', async () => {
      expectLocation(await ask('/nobody-has-this?v=1'), UNKNOWN);
      expectPage(await ask('/nobody-has-this', { host: PLAIN }), 404);
      expectLocation(await ask('/?v=1'), ROOT);
      expectPage(await ask('/', { host: PLAIN }), 404);
    });

    it('expired: the link’s own destination before the domain’s', async () => {
      const over = { expires_at: PAST, expired_destination: LATE };
      const { id, slug } = await create(over);
      expectLocation(await ask(`/${slug}?v=1`), LATE);
      await set(id, { domain: PLAIN });
      expectLocation(await ask(`/${slug}`, { host: PLAIN }), LATE);
    });

    it('the limit ends the link once that many people have followed it', async () => {
      const { slug } = await create({ click_limit: 1, expired_destination: LATE });
      expectLocation(await ask(`/${slug}`, { headers: { 'User-Agent': AGENTS.bot } }), DESTINATION);
      expectLocation(await ask(`/${slug}`), DESTINATION);
      await until(async () => (await leads(`/${slug}`)) === LATE, 'the limit');
    });
  });

  it('follow the first matching rule, else the split, else the destination', async () => {
    const at = (place: string) => `https://${place}.example.com/`;
    const when = { platform: ['ios'], country: ['DE', 'AT'], language: ['de'], not: { referrer_host: ['t.co'] } };
    const rules = [
      { when: { after: FUTURE }, destination: at('future') },
      { name: 'german phones', when, destination: at('phones') },
      { when: { query: [{ name: 'v', value: '2' }], before: FUTURE }, destination: at('two') },
      { when: { country: ['US'], device: ['mobile'] }, destination: at('us') },
    ];
    const { slug } = await create({ routing: { rules, forward_query: false } });
    const german = { 'X-Forwarded-For': GERMAN, 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' };
    const table: [Record<string, string>, string, string][] = [
      [german, '', at('phones')],
      [{ ...german, Referer: 'https://www.example.net/t.co' }, '', at('phones')],
      [{ ...german, Referer: 'https://T.CO/x' }, '', DESTINATION],
      [{ ...german, Referer: 'https://T.CO/x' }, '?v=2', at('two')],
      [{ ...german, 'Accept-Language': 'en,de;q=0.9' }, '?v=1&v=2', at('two')],
      [{ ...german, 'X-Forwarded-For': `${GERMAN}, ${AMERICAN}` }, '', at('us')],
      [{ 'X-Forwarded-For': AMERICAN, 'User-Agent': 'curl/8.9.1' }, '', DESTINATION],
      [{}, '?%76=2', at('two')],
      [{}, '?v=', DESTINATION],
    ];
    for (const [headers, query, location] of table) {
      expectLocation(await ask(`/${slug}${query}`, { headers }), location);
    }
  });

  it('keep a visitor of a split on one side', async () => {
    const split = ['a', 'b'].map((name) => ({ name, destination: `https://${name}.example.com/`, weight: 1 }));
    const { slug } = await create({ routing: { split } });
    const sides = new Set<string | undefined>();
    for (let at = 1; at <= 30; at += 1) {
      const headers = { 'X-Forwarded-For': `203.0.113.${at}` };
      const first = await leads(`/${slug}`, { headers });
      expect(await leads(`/${slug}?v=1`, { headers: { ...headers, Referer: 'https://t.co/' } })).to.equal(
        `${first}?v=1`,
      );
      sides.add(first);
    }
    expect([...sides]).to.have.members(['https://a.example.com/', 'https://b.example.com/']);
  });

  it('add parameters: the destination’s own first, then utm, then the visitor’s', async () => {
    const destination = 'https://www.example.com/a/?a=1&utm_source=own#part?x';
    const { slug } = await create({
      destination,
      utm: { source: 'link', medium: 'mail' },
      routing: { forward_path: true },
    });
    const own = 'a=1&utm_source=own&utm_medium=mail';
    const table: [string, string][] = [
      ['', `/a/?${own}`],
      ['?', `/a/?${own}`],
      ['/', `/a/?${own}`],
      ['?b&c=', `/a/?${own}&b&c=`],
      ['?a=2&utm_source=x&utm_medium=y&b=1&b=2', `/a/?${own}&b=1&b=2`],
      ['?b=%E4%BD+%2F%zz', `/a/?${own}&b=%E4%BD+%2F%zz`],
      ['/more?b=1', `/a/more?${own}&b=1`],
      ['/more/', `/a/more/?${own}`],
      ['/b%2Fc/d', `/a/b%2Fc/d?${own}`],
      // A slash at the end of a slug is nothing, so that one of the two is left.
      ['//evil.example.net', `/a/evil.example.net?${own}`],
      ['/../up', `/a/?${own}`],
      ['/%2E%2e/up', `/a/?${own}`],
      ['/\\evil.example.net', `/a/%5Cevil.example.net?${own}`],
    ];
    for (const [more, place] of table) {
      expect(await leads(`/${slug}${more}`), more).to.equal(`https://www.example.com${place}#part?x`);
    }
  });

  it('add neither query nor path if the link says so', async () => {
    const { slug } = await create({ utm: { source: 'link' }, routing: { forward_query: false } });
    expectLocation(await ask(`/${slug}?v=1`), `${DESTINATION}?utm_source=link`);
    expectLocation(await ask(`/${slug}/more`), UNKNOWN);
  });

  it('see a change of their link at once', async () => {
    const { id, slug } = await create();
    const next = `${slug}-next`;
    const elsewhere = 'https://www.example.com/elsewhere';
    const steps: [string, string, object | undefined, [string, string]][] = [
      ['PATCH', '', { destination: elsewhere }, [slug, elsewhere]],
      ['PATCH', '', { routing: { rules: [{ when: { platform: ['ios'] }, destination: LATE }] } }, [slug, LATE]],
      ['PATCH', '', { routing: null, utm: { source: 'x' } }, [slug, `${elsewhere}?utm_source=x`]],
      ['POST', '/archive', undefined, [slug, UNKNOWN]],
      ['POST', '/unarchive', undefined, [slug, `${elsewhere}?utm_source=x`]],
      ['PATCH', '', { expires_at: PAST }, [slug, OVER]],
      ['PATCH', '', { expires_at: null, utm: null, slug: next }, [next, elsewhere]],
      ['DELETE', '', undefined, [next, UNKNOWN]],
    ];
    for (const [method, below, body, [where, location]] of steps) {
      await ask(`/${slug}`);
      await ask(`/${next}`);
      const { status } = await world().api(method, `/links/${id}${below}`, body);
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 204]);
      expect(await leads(`/${where}`), `${method} ${JSON.stringify(body)}`).to.equal(location);
      if (where === next) expect(await leads(`/${slug}`)).to.equal(UNKNOWN);
    }
    await create({ slug, destination: LATE });
    expectLocation(await ask(`/${slug}`), LATE);
  });

  it('lead into an app by its scheme', async () => {
    const apps = [{ platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' }];
    const { projectId } = await firstTenant(world());
    expect((await world().api('PATCH', `/projects/${projectId}`, { apps })).status).to.equal(200);
    const destination = 'myapp://product/42?a=1#part';
    const { slug } = await create({ destination, utm: { source: 'x' }, routing: { forward_path: true } });
    expectLocation(await ask(`/${slug}/red?v=1&a=2`), 'myapp://product/42/red?a=1&utm_source=x&v=1#part');
  });
});
