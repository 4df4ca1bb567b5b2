// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { expectMatch, expectNone, IPHONE, newAddress, PIXEL, type Sdk, sdkOf, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const GO = 'go.example.com';
const WEB = 'https://www.example.com/shoes';
const HOUR = 3600;

describe('openings of an app', () => {
  const world = useWorld({ LINK_DOMAIN: GO });
  let mine: Tenant;
  let other: Tenant;
  let sdk: Sdk;

  before(async () => {
    mine = await firstTenant(world);
    other = await makeTenant(world, mine.teamId);
    sdk = await sdkOf(mine);
  });
  afterEach(() => clock.reset());

  const make = (more: object = {}, { api }: Tenant = mine): Promise<MadeLink> =>
    createLink(api, { destination: WEB, ...more });
  const follow = ({ slug }: MadeLink) => {
    const headers = { ...IPHONE.headers, 'X-Forwarded-For': newAddress() };
    return rawRequest(world.origin, `/${slug}`, { host: GO, headers });
  };
  const urlOf = ({ slug }: MadeLink) => `https://${GO}/${slug}`;
  const clicksOn = async ({ id }: MadeLink) => (await mine.api('GET', `/links/${id}`)).body.clicks;
  const eventsOf = async (type: string, install_id: string) => {
    const { body } = await mine.api('GET', `/events?type=${type}&limit=100`);
    return body.data.filter(({ data }: { data: { install?: { install_id: string }; install_id?: string } }) =>
      [data.install?.install_id, data.install_id].includes(install_id),
    );
  };
  /** Whatever was told before is an event once this is. */
  const collected = async () => {
    const install_id = randomUUID();
    await sdk.open({ install_id });
    await until(async () => (await eventsOf('app.installed', install_id)).length > 0, 'what was told to be collected');
  };

  describe('by the URL of a link', () => {
    it('give the link, and count as a click of a person', async () => {
      const link = await make({ data: { screen: 'shoes' }, tags: ['app'], utm: { source: 'mail' } });
      const now = stopClock();
      const { nowMs } = now;
      const reply = await sdk.open({ url: urlOf(link), app_version: '1.4.0' }, { from: newAddress() });
      expectMatch(reply, 'link', link);
      const { slug } = link;
      expect(reply.body).to.have.all.keys('open_id', 'match', 'link');
      expect(reply.body.link).to.deep.equal({
        ...{ id: link.id, slug, domain: GO, short_url: `http://${GO}/${slug}`, destination: WEB },
        data: { screen: 'shoes' },
      });
      expect(reply.body.match).to.deep.equal({
        ...{ matched: true, method: 'link', confidence: 100, score: null, guaranteed: true },
        ...{ factors: [{ name: 'link', points: 100 }], clicked_at: new Date(nowMs).toISOString() },
      });
      expect(await clicksOn(link)).to.equal(1);
      now.move(1);
      for (const [dimension, key] of Object.entries({
        ...{ rule: 'app_link', traffic_class: 'human', platform: 'ios', device: 'mobile', destination: WEB },
        ...{ language: 'de-de', tag: 'app', utm_source: 'mail', slug, browser: null, referrer_host: null },
      })) {
        const query = `group_by=${dimension}&link=${link.id}&traffic=all`;
        const { body } = await mine.api('GET', `/analytics?${query}`);
        const rows = body.data.map((row: { key: string; count: number }) => [row.key, row.count]);
        expect(rows, dimension).to.deep.equal([[key, 1]]);
      }
    });

    it('find it however its URL is written, and every time anew', async () => {
      const link = await make({ slug: 'Case/a.b~c' });
      const urls = [
        `http://${GO}/Case/a.b~c`,
        `HTTPS://${GO.toUpperCase()}/Case/a.b~c/?utm_source=x#part`,
        `https://${GO}./%43ase/a.b~c`,
        `http://${GO}:80/Case/a.b~c?`,
      ];
      const install_id = randomUUID();
      for (const url of urls) {
        for (const reply of [await sdk.open({ install_id, first_open: false, url }), await sdk.open({ url })]) {
          expectMatch(reply, 'link', link);
        }
      }
      expect(await clicksOn(link)).to.equal(2 * urls.length);
    });

    it('find what forwards paths by what stands before', async () => {
      const link = await make({ slug: 'shop', routing: { forward_path: true } });
      const nearer = await make({ slug: 'shop/sale', routing: { forward_path: true } });
      await make({ slug: 'shop/sale/plain' });
      expectMatch(await sdk.open({ url: `https://${GO}/shop/shoes/42?a=1` }), 'link', link);
      expectMatch(await sdk.open({ url: `https://${GO}/shop/sale/42` }), 'link', nearer);
      expectMatch(await sdk.open({ url: `https://${GO}/shop/sale/plain/42` }), 'link', nearer);
      expectNone(await sdk.open({ url: `https://${GO}/Shop/shoes` }), 'no_click');
    });

    it('give and count nothing where nobody may go, and tell nothing of what is there', async () => {
      const [past, future] = [Date.now() - 60_000, Date.now() + HOUR * 1000].map((at) => new Date(at).toISOString());
      const flagged = await make();
      await flagLink(flagged.id, 'phishing');
      const spent = await make({ click_limit: 1 });
      const install_id = randomUUID();
      await sdk.open({ install_id });
      expectMatch(await sdk.open({ install_id, first_open: false, url: urlOf(spent) }), 'link', spent);
      const closed = {
        flagged,
        spent,
        archived: await make(),
        scheduled: await make({ starts_at: future }),
        expired: await make({ expires_at: past }),
        locked: await make({ password: 'secret' }),
        foreign: await make({}, other),
      };
      await mine.api('POST', `/links/${closed.archived.id}/archive`);
      const strange = [
        ...['', ' ', 'x', 'https://', `ftp://${GO}/x`, `https://${GO}`, `https://${GO}/`, `https://${GO}/%00`],
        ...[`https://${GO}/unheard-of`, `//${GO}/x`, 'https://www.example.com/', 'myapp://p/42', 'javascript:1'],
      ];
      const plain = await make();
      const misspelt = [`${urlOf(plain)}+`, `${urlOf(plain)}/x`, `https://${GO}:444/${plain.slug}`];
      for (const url of [...Object.values(closed).map(urlOf), ...strange, ...misspelt]) {
        expectNone(await sdk.open({ url, first_open: false }), 'not_first_open');
        expectNone(await sdk.open({ url }, { from: newAddress() }), 'no_click');
        expect((await sdk.resolve(url || ' ')).body, url).to.deep.equal({ link: null });
      }
      for (const link of [plain, ...Object.values(closed)].filter((one) => one !== closed.foreign)) {
        expect(await clicksOn(link)).to.equal(link === spent ? 1 : 0);
      }
      expect((await other.api('GET', `/links/${closed.foreign.id}`)).body.clicks).to.equal(0);
    });

    it('of an install that was known count towards the limit of a link, with those who follow it', async () => {
      const link = await make({ click_limit: 3 });
      const install_id = randomUUID();
      await visit(world, link, { host: GO });
      expectMatch(await sdk.open({ install_id, url: urlOf(link) }), 'link', link);
      expectMatch(await sdk.open({ install_id, first_open: false, url: urlOf(link) }), 'link', link);
      await visit(world, link, { host: GO });
      await until(async () => (await clicksOn(link)) === 3, 'the clicks');
      expectNone(await sdk.open({ url: urlOf(link), first_open: false }), 'not_first_open');
      await until(async () => (await follow(link)).status === 410, 'the end of the link');
    });

    it('are not what an install is compared with later', async () => {
      const from = newAddress();
      const link = await make();
      expectMatch(await sdk.open({ url: urlOf(link) }, { from }), 'link', link);
      expectNone(await sdk.open({}, { from }), 'no_click');
    });
  });

  describe('of the first time', () => {
    it('get their first answer again for 24 hours, whatever they bring then', async () => {
      const now = stopClock();
      const [link, later] = [await make(), await make()];
      const [install_id, from] = [randomUUID(), newAddress()];
      await visit(world, link, { host: GO, from });
      const first = await sdk.open({ install_id }, { from });
      expectMatch(first, 'probabilistic', link);
      now.move(24 * HOUR - 1);
      for (const body of [{}, { url: urlOf(later) }, { ...PIXEL.device, clipboard: 'x' }, { consent: false }]) {
        const again = await sdk.open({ install_id, ...body }, { from: newAddress() });
        expect([again.status, again.body]).to.deep.equal([200, first.body]);
      }
      expect(await clicksOn(later)).to.equal(0);
      // An opening that is no first one is one of its own.
      const opened = await sdk.open({ install_id, first_open: false, url: urlOf(later) });
      expectMatch(opened, 'link', later);
      expect(opened.body.open_id).to.not.equal(first.body.open_id);
      expect((await sdk.open({ install_id })).body).to.deep.equal(first.body);
    });

    it('get the same answer without a match, and the link as it is now', async () => {
      const [install_id, other] = [randomUUID(), randomUUID()];
      const none = await sdk.open({ install_id });
      expectNone(none, 'no_click');
      const link = await make();
      expect((await sdk.open({ install_id, url: urlOf(link) })).body).to.deep.equal(none.body);
      const found = await sdk.open({ url: urlOf(link), install_id: other });
      await mine.api('PATCH', `/links/${link.id}`, { data: { screen: 'new' } });
      const again = await sdk.open({ install_id: other });
      expect(again.body).to.deep.equal({ ...found.body, link: { ...found.body.link, data: { screen: 'new' } } });
      await flagLink(link.id, 'phishing');
      const flagged = await sdk.open({ install_id: other });
      expect(flagged.body).to.deep.equal({ ...found.body, link: null });
    });

    it('are one when they come twenty times at once, and one app.installed', async () => {
      const link = await make();
      const [install_id, from] = [randomUUID(), newAddress()];
      await visit(world, link, { host: GO, from });
      const replies = await Promise.all(Array.from({ length: 20 }, () => sdk.open({ install_id }, { from })));
      for (const reply of replies) {
        expectMatch(reply, 'probabilistic', link);
        expect(reply.body).to.deep.equal(replies[0]?.body);
      }
      await collected();
      expect(await eventsOf('app.installed', install_id)).to.have.length(1);
      expect(await eventsOf('app.opened', install_id)).to.have.length(1);
    });

    it('are the app installed anew after 24 hours, and told of once', async () => {
      const now = stopClock();
      const [before, after] = [await make(), await make()];
      const install_id = randomUUID();
      const first = await sdk.open({ install_id, url: urlOf(before) });
      await collected();
      now.move(24 * HOUR);
      const from = newAddress();
      await visit(world, after, { host: GO, from });
      const anew = await sdk.open({ install_id }, { from });
      expectMatch(anew, 'probabilistic', after);
      expect(anew.body.open_id).to.not.equal(first.body.open_id);
      expect((await sdk.open({ install_id }, { from })).body).to.deep.equal(anew.body);
      await collected();
      expect(await eventsOf('app.installed', install_id)).to.have.length(1);
      expect(await eventsOf('app.opened', install_id)).to.have.length(2);
      const opens = await query('SELECT kind FROM opens WHERE install_id = :install_id ORDER BY id', { install_id });
      expect(opens).to.deep.equal([{ kind: 'install' }, { kind: 'reinstall' }]);
      // What it was traced back to takes the place of what was known.
      await sdk.event({ install_id });
      const event = await until(async () => (await eventsOf('app.event', install_id))[0], 'the event');
      expect(event.data.link.id).to.equal(after.id);
    });

    it('are told of once where the app was there before', async () => {
      const install_id = randomUUID();
      for (const url of [null, urlOf(await make())]) await sdk.open({ install_id, first_open: false, url });
      await collected();
      expect(await eventsOf('app.installed', install_id)).to.deep.equal([]);
      expect(await eventsOf('app.opened', install_id)).to.have.length(1);
      for (let times = 0; times < 2; times += 1) await sdk.open({ install_id, ...IPHONE.device });
      await collected();
      expect(await eventsOf('app.installed', install_id)).to.have.length(1);
    });

    it('are those of the project: another one knows nothing of the install', async () => {
      const install_id = randomUUID();
      const link = await make();
      const first = await sdk.open({ install_id, url: urlOf(link) });
      const elsewhere = await (await sdkOf(other)).open({ install_id, url: urlOf(link) });
      expectNone(elsewhere, 'no_click');
      expect((await sdk.open({ install_id })).body).to.deep.equal(first.body);
    });
  });
});
