// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { log } from '../../../src/kernel/log.ts';
import { type AtRest, everyFile, everyTable, placesOf } from '../../support/atRest.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { IPHONE, PIXEL, type Sdk, sdkOf, startSdkWorld, visit } from '../../support/sdk.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import type { OwnWorld } from '../../support/world.ts';

const ADDRESSES = [
  ...['203.0.113.77', '198.51.100.213', '192.0.2.171'],
  ...['2001:db8:77:77::1', '2001:db8:ab:cd:1234:5678:9abc:def0', '2001:db8:5a5a:a5a5:99::7'],
];
const APPS = [
  { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345', app_store_id: '123456789', scheme: 'myapp' },
  { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' },
];

/** Tables that what people and apps do here fills. */
const FILLED = [
  ...['clicks', 'click_devices', 'used_clicks', 'match_clicks', 'match_reports', 'orphans'],
  ...['installs', 'opens', 'app_events', 'events', 'links'],
];

/** How an address, or the network that it is in, could stand somewhere as text. */
function spellings(address: string): string[] {
  const parsed = ipaddr.parse(address);
  const bytes = Buffer.from(parsed.toByteArray());
  const texts = [address, parsed.toNormalizedString(), parsed.toString()];
  const encoded = [bytes.toString('hex'), Buffer.from(address).toString('base64').replace(/=+$/, '')];
  if (parsed.kind() === 'ipv4') return [...texts, ...encoded, String(bytes.readUInt32BE())];
  const parts = parsed.toNormalizedString().split(':');
  const padded = parts.map((part) => part.padStart(4, '0'));
  const network = [parts, padded].map((all) => all.slice(0, 4).join(':'));
  return [...texts, ...encoded, padded.join(':'), ...network, bytes.subarray(0, 8).toString('hex')];
}

/** Its bytes; of IPv6 those of the network. */
function packed(address: string): Buffer {
  return Buffer.from(ipaddr.parse(address).toByteArray()).subarray(0, 8);
}

/** What somebody has in the clipboard when an app is opened. */
const CLIPBOARD = 'correct horse battery staple';

describe('addresses and clipboards of people', () => {
  let world: OwnWorld;
  let mine: Tenant;
  let sdk: Sdk;
  let link: MadeLink;
  let receiver: Receiver;
  const lines: string[] = [];
  const stream = (log as unknown as Record<symbol, { write: (line: string) => unknown }>)[pino.symbols.streamSym];
  const write = stream?.write;

  before(async () => {
    if (stream) stream.write = (line) => lines.push(line);
    receiver = await startReceiver();
    world = await startSdkWorld({
      LOG_LEVEL: 'trace',
      CLICK_DRAIN_MILLISECONDS: '3600000',
      SCANNER_BURST_LINKS: '20',
      RATE_LIMIT_PUBLISHABLE_ADDRESS_PER_MINUTE: '20',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '3',
    });
    mine = await firstTenant(world);
    sdk = await sdkOf(mine);
    await mine.api('PATCH', `/projects/${mine.projectId}`, { apps: APPS });
    const app = { deep_link_path: '/p', fallback: 'store' };
    const routing = { open_app: true, ios: app, android: app };
    link = await createLink(mine.api, { destination: 'https://www.example.com/', routing });
  });
  after(async () => {
    await Promise.all([world.stop(), receiver.close()]);
    if (stream && write) stream.write = write;
  });

  const expectNowhere = (kept: AtRest) => {
    expect(placesOf(CLIPBOARD, kept)).to.deep.equal([]);
    for (const address of ADDRESSES) {
      for (const spelling of spellings(address)) expect(placesOf(spelling, kept), spelling).to.deep.equal([]);
    }
    // Four bytes stand somewhere by chance; those of every address do not.
    for (const length of [4, 16]) {
      const ofKind = ADDRESSES.filter((address) => ipaddr.parse(address).toByteArray().length === length);
      const places = ofKind.map((address) => new Set(placesOf(packed(address), kept)));
      const everywhere = [...(places[0] ?? [])].filter((place) => places.every((other) => other.has(place)));
      expect(everywhere, `${length} bytes`).to.deep.equal([]);
    }
  };
  const logged = (): AtRest => new Map([['the log', Buffer.from(lines.join('')).toString('latin1').toLowerCase()]]);
  const ask = (
    path: string,
    from: string,
    more = {},
    { method = 'GET', body }: { method?: string; body?: string } = {},
  ) =>
    rawRequest(world.origin, path, {
      method,
      headers: { ...more, 'X-Forwarded-For': from },
      ...(body ? { body } : {}),
    });

  it('stand in no file while clicks wait in the journal', async () => {
    // What is looked for would be found: the journal has the clicks. The drain at the start may take the first ones.
    const kept = await until(async () => {
      for (const from of ADDRESSES) {
        for (const phone of [IPHONE, PIXEL]) await visit(world, link, { from, phone });
        await visit(world, link, { from, phone: { ...IPHONE, headers: { 'User-Agent': 'curl/8.0' } } });
      }
      const files = await everyFile(world.dataDir);
      return placesOf(link.slug, files).some((place) => place.includes('clicks')) ? files : null;
    }, 'clicks in the journal');
    expectNowhere(kept);
  });

  it('stand in no table, no file and no line of the log, whatever people and apps did', async () => {
    await mine.api('POST', '/webhooks', { url: receiver.url, include_bots: true });
    const locked = await createLink(mine.api, { destination: 'https://www.example.com/', password: 'right' });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const from of ADDRESSES) {
      const install_id = randomUUID();
      const page = new URL(await visit(world, link, { from }));
      const device = JSON.stringify({ timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } });
      await ask(`${page.pathname}/device${page.search}`, from, {}, { method: 'POST', body: device });
      expect((await sdk.open({ install_id, clipboard: CLIPBOARD }, { from })).body.match.method).to.equal(
        'probabilistic',
      );
      const url = `${world.origin}/${link.slug}`;
      expect((await sdk.open({ install_id, first_open: false, url }, { from })).body.match.method).to.equal('link');
      await sdk.open({ install_referrer: 'svc_click=x', clipboard: `${CLIPBOARD} ${page.search}` }, { from });
      expect((await sdk.event({ install_id, properties: { a: 1 } }, { from })).status).to.equal(202);
      for (let times = 0; times < 20; times += 1) await sdk.event({}, { from });
      expect((await sdk.event({ install_id }, { from })).status).to.equal(429);
      for (let times = 0; times < 5; times += 1) await ask('/api/v1/team', from);
      expect((await ask('/api/v1/team', from)).status).to.equal(429);
      for (const password of ['wrong', 'right']) {
        await ask(
          `/${locked.slug}`,
          from,
          { ...IPHONE.headers, ...form },
          { method: 'POST', body: `password=${password}` },
        );
      }
      await ask('/unheard-of', from, IPHONE.headers);
      const options = { headers: { 'X-Forwarded-For': from, 'Idempotency-Key': from.replaceAll(/\W/g, 'x') } };
      expect((await mine.api('POST', '/tags', { name: randomUUID() }, options)).status).to.equal(201);
    }
    await burst();
    await fail();
    const types = ['link.clicked', 'app.installed', 'app.opened', 'app.event'];
    for (const type of types) await receiver.waitFor(({ event }) => event.type === type, type);
    // Visits to paths that no link has are written once a second.
    const tables = await until(async () => {
      const all = await everyTable();
      const filled = placesOf(mine.projectId, all).map((place) => place.replace(/^table (public\.)?/, ''));
      return FILLED.every((table) => filled.includes(table)) ? all : null;
    }, `rows in ${FILLED}`);
    const files = await everyFile(world.dataDir);
    expect(lines.length).to.be.greaterThan(100);
    for (const kept of [tables, files, logged()]) expectNowhere(kept);
  });

  /** From one address of each kind more links are followed than people follow: its clicks are forgotten for matching. */
  async function burst(): Promise<void> {
    const links = Array.from({ length: 25 }, () => ({ destination: 'https://www.example.com/' }));
    const { body } = await mine.api('POST', '/links/bulk', { links });
    for (const from of [ADDRESSES[0], ADDRESSES[3]]) {
      for (const { link: one } of body.results) await visit(world, one, { from, phone: PIXEL });
    }
    // The first opening of an app brings the clicks to the store.
    await (await sdkOf(await makeTenant(world))).open();
  }

  /** Faults are logged with what is known of them. */
  async function fail(): Promise<void> {
    await renameTable('installs', 'installs_away');
    const others = await sdkOf(await makeTenant(world));
    for (const from of ADDRESSES) {
      expect((await others.open({ clipboard: CLIPBOARD }, { from })).status).to.equal(500);
      const input = { email: `${randomUUID()}@example.com`, password: 'wrong' };
      await graphql(world.origin, 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }', { input });
    }
    await renameTable('installs_away', 'installs');
    expect(lines.some((line) => line.includes('unexpected error'))).to.equal(true);
  }
});
