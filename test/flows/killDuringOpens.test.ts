// plays, stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { tokenIn } from '../support/appLinks.ts';
import { askStore } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { NO_LIMITS } from '../support/noLimits.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { newAddress, PIXEL, type Sdk, sdkWith, visit } from '../support/sdk.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { walk } from '../support/walk.ts';

const PEOPLE = 8;
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const EVENTS = ['a', 'b', 'c'].map((id) => ({ id, name: 'step' }));
const SETTINGS = {
  TRAFFIC_COLLECT_SECONDS: '1',
  TRUSTED_PROXIES: '127.0.0.1',
  SCANNER_BURST_LINKS: '0',
  ...NO_LIMITS,
  RATE_LIMIT_EVENTS_PER_MINUTE: '1000000',
  RATE_LIMIT_ADDRESS_EVENTS_PER_MINUTE: '1000000',
};
const APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };

/** An install, and what it was answered before anybody was killed. */
interface Told {
  body: Record<string, unknown>;
  opened: unknown;
  hasTold: boolean;
}

describe('kill -9 while apps are opened', () => {
  let store: Store;
  let child: Child;
  let port: number;
  let api: Api;
  let sdk: Sdk;
  let links: MadeLink[];
  let receiver: Receiver;

  before(async function () {
    this.timeout(600_000);
    [store, port, receiver] = await Promise.all([makeStore(), freePort(), startReceiver()]);
    child = await startChild(port, { ...store.env, ...SETTINGS });
    api = apiOf(child.origin, child.secretKey);
    sdk = sdkWith(apiOf(child.origin, child.publishableKey, 'sdk'));
    const [project] = (await api('GET', '/projects')).body.data;
    await api('PATCH', `/projects/${project.id}`, { apps: [APP] });
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['app.installed'] });
    const routing = { open_app: true, android: { deep_link_path: '/p', fallback: 'store' } };
    const make = () => createLink(api, { destination: 'https://www.example.com/', routing });
    links = await Promise.all([make(), make(), make()]);
  });
  after(async () => {
    await child?.kill();
    await Promise.all([store?.remove(), receiver?.close()]);
  });

  /** Somebody clicks, and two who may have been it open the app and tell of three events. Ends when nobody answers. */
  const tellOf = async (told: Map<string, Told>, at: number): Promise<void> => {
    const from = newAddress();
    const location = await visit({ origin: child.origin }, links[at % links.length] as MadeLink, {
      from,
      phone: PIXEL,
    });
    const token = at % 2 === 0 ? { install_referrer: `svc_click=${tokenIn(location)}` } : {};
    const both = [randomUUID(), randomUUID()].map(async (install_id) => {
      const one: Told = { body: { install_id, ...PIXEL.device, ...token }, opened: null, hasTold: false };
      told.set(install_id, one);
      const { status, body } = await sdk.open(one.body, { from });
      if (status === 200) one.opened = body;
      one.hasTold = (await sdk.event({ install_id, events: EVENTS })).status === 202;
    });
    await Promise.all(both);
  };

  it('keeps what was answered, uses no click twice, and tells of each install once', async function () {
    this.timeout(600_000);
    const told = new Map<string, Told>();
    const answers = () => [...told.values()].filter(({ opened }) => opened !== null).length;
    for (let round = 0; round < ROUNDS; round += 1) {
      let isStopped = false;
      const person = async (name: number) => {
        for (let at = name; !isStopped; at += 1) await tellOf(told, at).catch(() => {});
      };
      const people = Array.from({ length: PEOPLE }, (_, name) => person(name));
      const deliveredBefore = receiver.received.length;
      try {
        await until(() => answers() > (round + 1) * PEOPLE * 2, 'openings that were answered', 120_000);
        // Some of it is being collected and delivered.
        await until(() => receiver.received.length > deliveredBefore, 'the first deliveries', 120_000);
      } finally {
        await child.kill();
        isStopped = true;
      }
      await Promise.all(people);
      child = await startChild(port, { ...store.env, ...SETTINGS });
    }
    const answered = [...told.values()].filter(({ opened }) => opened !== null);
    expect(answered.length).to.be.greaterThan(ROUNDS * PEOPLE * 2);

    const repeats = [...told].map(async ([install_id, { body, opened, hasTold }]) => {
      const again = await sdk.open(body);
      expect(again.status).to.equal(200);
      if (opened) expect(again.body).to.deep.equal(opened);
      const { accepted, duplicates } = (await sdk.event({ install_id, events: EVENTS })).body;
      expect(accepted + duplicates).to.equal(3);
      if (hasTold) expect(accepted).to.equal(0);
    });
    await Promise.all(repeats);

    const installs = await walk(api, '/installs', { limit: '100' });
    expect(installs.map(({ install_id }) => install_id)).to.have.members([...told.keys()]);
    const clickIds = installs.flatMap(({ click_id }) => click_id ?? []);
    expect(clickIds.length).to.be.greaterThan(answered.length / 4);
    expect(new Set(clickIds).size).to.equal(clickIds.length);

    const rows = await askStore<{ install_id: string; opened: number; events: number }>(
      store,
      `SELECT install_id, COUNT(*) AS opened,
         (SELECT COUNT(*) FROM app_events WHERE app_events.install_id = opens.install_id) AS events
       FROM opens GROUP BY install_id`,
    );
    expect(rows.map(({ opened, events }) => [Number(opened), Number(events)])).to.deep.equal(
      Array(told.size).fill([1, EVENTS.length]),
    );

    const recorded = await until(async () => {
      const events = await walk(api, '/events', { type: 'app.installed', limit: '100' });
      return events.length >= told.size ? events : null;
    }, 'an event for each install');
    expect(recorded.map(({ data }) => data.install.install_id)).to.have.members([...told.keys()]);
    // Deliveries that the killed had in hand may come later, but all are of these events.
    const delivered = new Set(receiver.received.map(({ event }) => event.id));
    expect(delivered.size).to.be.greaterThan(0);
    expect(recorded.map(({ id }) => id)).to.include.members([...delivered]);
  });
});
