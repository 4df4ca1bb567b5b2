// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { AGENTS } from '../../support/agents.ts';
import type { Reply } from '../../support/api.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import {
  expectMatch,
  expectNone,
  IPHONE,
  newAddress,
  type Phone,
  PIXEL,
  type Sdk,
  sdkOf,
  startSdkWorld,
  visit,
} from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import type { World } from '../../support/world.ts';

const SHARED_VISITORS = 3;
const HOUR = 3600;
const DAY_MS = 86_400_000;

/** The same phone with another browser: another visitor. */
const withAgent = (phone: Phone, more: string): Phone => ({
  ...phone,
  headers: { ...phone.headers, 'User-Agent': `${phone.headers['User-Agent']} ${more}` },
});

describe('first openings that are compared with clicks', () => {
  let world: World;
  let first: Tenant;
  let mine: Tenant;
  let sdk: Sdk;
  let link: MadeLink;
  let from: string;

  before(async () => {
    world = await startSdkWorld({
      MATCH_SHARED_VISITORS: String(SHARED_VISITORS),
      SHARED_NETWORKS: '198.19.0.0/16, 2001:db8:5::/48',
      // An app may be opened a moment after its click.
      CLICK_DRAIN_MILLISECONDS: '3600000',
    });
    first = await firstTenant(world);
  });
  after(() => world.stop());
  beforeEach(async () => {
    mine = await makeTenant(world, first.teamId);
    sdk = await sdkOf(mine);
    link = await make();
    from = newAddress();
  });
  afterEach(() => clock.reset());

  const make = (more: object = {}, { api } = mine) =>
    createLink(api, { destination: 'https://www.example.com/', ...more });
  const setProject = async (values: object) => {
    expect((await mine.api('PATCH', `/projects/${mine.projectId}`, values)).status).to.equal(200);
  };
  const namesOf = ({ body }: Reply) => body.match.factors.map(({ name }: { name: string }) => name);

  it('find the click, and say what spoke for it in points that add up', async () => {
    const now = stopClock();
    const clickedAt = new Date(now.nowMs).toISOString();
    await visit(world, link, { from });
    now.move(HOUR / 2);
    const reply = await sdk.open({ os_version: '18' }, { from });
    expectMatch(reply, 'probabilistic', link);
    const { confidence, factors, clicked_at } = reply.body.match;
    expect(clicked_at).to.equal(clickedAt);
    expect(namesOf(reply)).to.include.members(['address', 'platform', 'os_version', 'language']);
    const sum = factors.reduce((total: number, { points }: { points: number }) => total + points, 0);
    expect(reply.body.match.score).to.equal(sum).and.to.be.at.least(70);
    expect(confidence).to.be.within(70, 99);
  });

  it('are never surer than 99', async () => {
    await setProject({
      apps: [{ platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345', app_store_id: '123456789' }],
    });
    const into = await make({ routing: { open_app: true, ios: { fallback: 'store' } } });
    const page = new URL(await visit(world, into, { from }));
    const told = { timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } };
    const ask = { method: 'POST', body: JSON.stringify(told) };
    expect((await rawRequest(world.origin, `${page.pathname}/device${page.search}`, ask)).status).to.equal(204);
    const reply = await sdk.open(told, { from });
    expectMatch(reply, 'probabilistic', into);
    expect(namesOf(reply)).to.include.members(['timezone', 'screen', 'device_model']);
    const sum = reply.body.match.factors.reduce((total: number, { points }: { points: number }) => total + points, 0);
    expect([reply.body.match.confidence, reply.body.match.score]).to.deep.equal([99, sum]);
    expect(sum).to.be.greaterThan(100);
  });

  describe('find nothing', () => {
    const ROWS: [name: string, factor: string, open: () => Promise<Reply>][] = [
      ['from another address', 'no_click', () => sdk.open({}, { from: newAddress() })],
      ['on another platform', 'no_click', () => sdk.open(PIXEL.device, { from })],
      ['of another system', 'below_threshold', () => sdk.open({ os_version: '17.6' }, { from })],
      ['on another model', 'below_threshold', () => sdk.open({ device_model: 'iPad14,1' }, { from })],
      ['without consent', 'no_consent', () => sdk.open({ consent: false }, { from })],
      ['on the web', 'platform_web', () => sdk.open({ platform: 'web' }, { from })],
      ['that are no first ones', 'not_first_open', () => sdk.open({ first_open: false }, { from })],
      ['of the app of another project', 'no_click', async () => (await sdkOf(first)).open({}, { from })],
      [
        'of a project that does not want it',
        'probabilistic_off',
        async () => {
          await setProject({ probabilistic_matching: false });
          const reply = await sdk.open({}, { from });
          await setProject({ probabilistic_matching: true });
          return reply;
        },
      ],
    ];
    for (const [name, factor, open] of ROWS) {
      it(`${name}: ${factor}`, async () => {
        await visit(world, link, { from });
        expectNone(await open(), factor);
        // It was there all the time.
        expectMatch(await sdk.open({}, { from }), 'probabilistic', link);
      });
    }

    it('behind clicks of bots, scanners and prefetches', async () => {
      const headers = [
        ...[AGENTS.bot, AGENTS.scanner, `${AGENTS.human} (compatible; Googlebot/2.1)`].map((agent) => ({
          'User-Agent': agent,
        })),
        { 'Sec-Purpose': 'prefetch' },
      ];
      for (const more of headers)
        await visit(world, link, { from, phone: { ...IPHONE, headers: { ...IPHONE.headers, ...more } } });
      const head = { method: 'HEAD', headers: { ...IPHONE.headers, 'X-Forwarded-For': from } };
      expect((await rawRequest(world.origin, `/${link.slug}`, head)).status).to.equal(302);
      expectNone(await sdk.open({}, { from }), 'no_click');
    });

    it('behind links that were deleted or flagged', async () => {
      const harmful = await make();
      for (const one of [link, harmful]) await visit(world, one, { from });
      await mine.api('DELETE', `/links/${link.id}`);
      await flagLink(harmful.id, 'phishing');
      expectNone(await sdk.open({}, { from }), 'no_click');
    });

    it('where many share the address', async () => {
      for (const shared of ['198.19.7.7', '100.64.1.1', '2001:db8:5:1::1']) {
        await visit(world, link, { from: shared });
        expectNone(await sdk.open({}, { from: shared }), 'shared_network');
        // What the device brings itself does not need the address.
        const url = `${world.origin}/${link.slug}`;
        expectMatch(await sdk.open({ url }, { from: shared }), 'link', link);
      }
    });

    it('where many visitors clicked lately: a day later they did not', async () => {
      const now = stopClock();
      await setProject({ match_window_seconds: 60 });
      const crowd = async (size: number) => {
        for (let at = 0; at < size; at += 1) await visit(world, link, { from, phone: withAgent(IPHONE, `B/${at}`) });
      };
      await crowd(SHARED_VISITORS + 1);
      expectNone(await sdk.open({}, { from }), 'many_visitors');
      now.move(24 * HOUR);
      await crowd(SHARED_VISITORS);
      expectMatch(await sdk.open({}, { from }), 'probabilistic', link);
    });
  });

  it('look as far back as the window of the project, or that of the link', async () => {
    await setProject({ match_window_seconds: 1800 });
    const windows: [object, number][] = [
      [{}, 1800],
      [{ match_window_seconds: 60 }, 60],
      [{ match_window_seconds: 2 * HOUR }, 2 * HOUR],
      [{ match_window_seconds: 24 * HOUR }, 24 * HOUR],
    ];
    for (const [more, seconds] of windows) {
      const own = await make(more);
      for (const [age, isFound] of [
        [seconds, true],
        [seconds + 1, false],
      ] as const) {
        const address = newAddress();
        const now = stopClock();
        await visit(world, own, { from: address });
        now.move(age);
        const reply = await sdk.open({}, { from: address });
        if (isFound) expectMatch(reply, 'probabilistic', own);
        else expectNone(reply, 'no_click');
      }
    }
  });

  it('take an IPv6 network of 64 bits for one address, and IPv4 in IPv6 for IPv4', async () => {
    const pairs: [string, string, boolean][] = [
      ['2001:db8:1:1::1', '2001:db8:1:1:ffff:ffff:ffff:ffff', true],
      ['2001:db8:1:2::1', '2001:0DB8:1:2:0::1', true],
      ['2001:db8:1:3::1', '2001:db8:1:4::1', false],
      ['198.18.200.1', '::ffff:198.18.200.1', true],
      ['198.18.200.2', '198.18.200.3', false],
    ];
    for (const [clicked, opened, isFound] of pairs) {
      await visit(world, link, { from: clicked });
      const reply = await sdk.open({}, { from: opened });
      if (isFound) expectMatch(reply, 'probabilistic', link);
      else expectNone(reply, 'no_click');
    }
  });

  it('find clicks of the day before, and retire those of both days', async () => {
    const now = stopClock(Math.floor(Date.now() / DAY_MS + 1) * DAY_MS - 30_000);
    await visit(world, link, { from });
    now.move(60);
    await visit(world, link, { from });
    now.move(60);
    expectMatch(await sdk.open({}, { from }), 'probabilistic', link);
    expectNone(await sdk.open({}, { from }), 'click_used');
    const alone = newAddress();
    stopClock(now.nowMs - 130_000);
    await visit(world, link, { from: alone });
    stopClock(now.nowMs);
    expectMatch(await sdk.open({}, { from: alone }), 'probabilistic', link);
  });

  it('find none where two people followed two links; of one who followed several the last counts', async () => {
    const other = await make();
    await visit(world, link, { from });
    await visit(world, other, { from, phone: withAgent(IPHONE, 'B/1') });
    expectNone(await sdk.open({}, { from }), 'ambiguous');
    const alone = newAddress();
    const later = await make();
    for (const one of [link, other, later]) await visit(world, one, { from: alone });
    expectMatch(await sdk.open({}, { from: alone }), 'probabilistic', later);
    // The clicks of one visitor are used together.
    expectNone(await sdk.open({}, { from: alone }), 'click_used');
  });

  it('abstain where a housemate has a phone that cannot be told apart', async () => {
    const reduced: Phone = {
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36',
        'Accept-Language': 'en-GB,en;q=0.9',
      },
      device: PIXEL.device,
    };
    const now = stopClock();
    await visit(world, link, { from, phone: reduced });
    now.move(HOUR - 60);
    expectMatch(await sdk.open(PIXEL.device, { from }), 'probabilistic', link);
    const home = newAddress();
    // Somebody at home has the app, and opens it.
    await sdk.open({ ...PIXEL.device, device_model: 'Google Pixel 7', first_open: false }, { from: home });
    await visit(world, link, { from: home, phone: reduced });
    expectNone(await sdk.open(PIXEL.device, { from: home }), 'below_threshold');
    // What is told of a phone tells it apart.
    await visit(world, link, { from: home, phone: PIXEL });
    expectMatch(await sdk.open(PIXEL.device, { from: home }), 'probabilistic', link);
  });

  it('use a click once, and the others of its visitor on the link with it', async () => {
    for (let times = 0; times < 3; times += 1) await visit(world, link, { from });
    const install_id = randomUUID();
    const reply = await sdk.open({ install_id }, { from });
    expectMatch(reply, 'probabilistic', link);
    expectNone(await sdk.open({}, { from }), 'click_used');
    await visit(world, link, { from });
    expectMatch(await sdk.open({}, { from }), 'probabilistic', link);
    expect((await sdk.open({ install_id }, { from })).body).to.deep.equal(reply.body);
  });

  it('tell people behind one address apart by their phones', async () => {
    const [ofPixel, ofOther] = [await make(), await make()];
    await visit(world, link, { from });
    await visit(world, ofPixel, { from, phone: PIXEL });
    expectMatch(await sdk.open(PIXEL.device, { from }), 'probabilistic', ofPixel);
    expectMatch(await sdk.open({}, { from }), 'probabilistic', link);
    const home = newAddress();
    for (const browser of ['A/1', 'B/1'])
      await visit(world, ofOther, { from: home, phone: withAgent(IPHONE, browser) });
    for (let times = 0; times < 2; times += 1)
      expectMatch(await sdk.open({}, { from: home }), 'probabilistic', ofOther);
    expectNone(await sdk.open({}, { from: home }), 'click_used');
  });

  it('by the URL of the link that was clicked use that click', async () => {
    await visit(world, link, { from });
    expectMatch(await sdk.open({ url: `${world.origin}/${link.slug}` }, { from }), 'link', link);
    expectNone(await sdk.open({}, { from }), 'click_used');
  });
});
