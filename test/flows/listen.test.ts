// plays, stores: any
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { constructEvent } from '../../sdk/webhooks/index.ts';
import { AGENTS } from '../support/agents.ts';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { startCuttingProxy } from '../support/cuttingProxy.ts';
import { type LongCommand, startCommand } from '../support/listening.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** With as many events, a stream begins at most. */
const BURST = 1000;
/** Some proxies allow a request half a minute; a second shows the same. */
const CUT_MS = 1000;

describe('svc listen', function () {
  this.timeout(600_000);
  let store: Store;
  let child: Child;
  let port: number;
  let env: Record<string, string>;
  let api: Api;
  let key: string;
  let home: string;
  let receiver: Receiver;
  let svc: LongCommand | undefined;

  before(async () => {
    store = await makeStore();
    port = await freePort();
    env = { ...store.env, TRAFFIC_COLLECT_SECONDS: '1', RATE_LIMIT_PER_MINUTE: '1000000', SCANNER_BURST_LINKS: '0' };
    child = await startChild(port, env);
    key = child.secretKey;
    api = apiOf(child.origin, key);
  });
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'svc-listen-'));
    receiver = await startReceiver();
  });
  afterEach(async () => {
    svc?.kill();
    await receiver.close();
    await rm(home, { recursive: true, force: true });
  });
  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  const listen = async (words: readonly string[] = [], as = key, to = receiver.url) => {
    svc = startCommand(['listen', '--forward-to', to, ...words], { origin: child.origin, key: as, home });
    await svc.untilSaid('Ready. Signing secret whsec_');
    return svc;
  };
  const secretOf = (command: LongCommand) => /whsec_\S+/.exec(command.said())?.[0] ?? '';
  const makeLinks = async (count: number) => {
    const made = Array.from({ length: count }, () => api('POST', '/links', { destination: 'https://example.com/' }));
    return (await Promise.all(made)).map(({ body }) => body);
  };
  const linksReceived = (from = receiver) => from.received.map(({ event }) => event.data.link.id);
  const untilReceived = (ids: string[]) =>
    until(() => ids.every((id) => linksReceived().includes(id)), `${ids.length} events at the receiver`, 60_000);

  it('forwards what a webhook would get, signed with a secret that stays the same', async () => {
    const command = await listen(['--events', 'link.created', '--headers']);
    const [{ id }] = await makeLinks(1);
    await untilReceived([id]);
    const [{ body, headers }] = receiver.received as [Receiver['received'][number]];
    const secret = secretOf(command);
    expect(constructEvent(body, headers['svc-signature'], secret).id).to.equal(headers['svc-event-id']);
    expect(headers).to.include({
      'user-agent': 'SVC-Webhooks/1',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'svc-event-type': 'link.created',
      'svc-attempt': '1',
    });
    expect(headers['svc-delivery-id']).to.match(/^local_[0-9a-z]{26}$/);
    const { body: list } = await api('GET', '/events?type=link.created&limit=1');
    expect(JSON.parse(body)).to.deep.equal(list.data[0]);
    await until(() => /link\.created {2}evt_\w+ {2}200 {2}\d+ ms\n/.test(command.printed()), 'its line');
    expect(command.printed()).to.include(`SVC-Signature: ${headers['svc-signature']}`);
    command.interrupt();
    expect(await command.ended).to.equal(130);
    expect(command.said()).to.include('1 event received, 1 delivered, 0 refused, 0 not delivered, 0 missed.');
    expect((await stat(path.join(home, 'svc/config.json'))).mode & 0o777).to.equal(0o600);
    expect(secretOf(await listen())).to.equal(secret);
    expect(`${command.printed()}${command.said()}`).to.not.include(key);
  });

  it('goes on behind the last event when the server was killed', async () => {
    const command = await listen(['--events', 'link.created']);
    const early = (await makeLinks(5)).map(({ id }) => id);
    await untilReceived(early);
    // The last ones may be on their way when the server dies.
    const between = (await makeLinks(5)).map(({ id }) => id);
    await child.kill();
    await command.untilSaid('The connection is lost');
    child = await startChild(port, env);
    const late = (await makeLinks(5)).map(({ id }) => id);
    await command.untilSaid('Connected again.');
    const made = [...early, ...between, ...late];
    await untilReceived(made);
    // An event of the minute before may come as well, if it could have been committed while nobody was connected.
    expect(linksReceived().filter((id) => made.includes(id))).to.have.length(15);
  });

  it('brings each event once through a proxy that cuts every connection', async () => {
    const proxy = await startCuttingProxy(port, CUT_MS);
    svc = startCommand(['listen', '--forward-to', receiver.url, '--events', 'link.created'], {
      ...{ origin: proxy.origin, key, home },
    });
    await svc.untilSaid('Ready. Signing secret whsec_');
    const made: string[] = [];
    // Slow enough that no pause has more events than a stream begins with.
    for (; proxy.cuts() < 4; await delay(100)) made.push((await makeLinks(1))[0].id);
    await untilReceived(made);
    expect(linksReceived().filter((id) => made.includes(id))).to.have.length(made.length);
    expect(svc.said()).to.include('Connected again.').and.not.include('Missed');
    await proxy.close();
  });

  it('goes on when the receiver is away, and sends nothing twice', async () => {
    let server: Server | undefined;
    const at = await freePort();
    const command = await listen(['--events', 'link.created'], key, `http://127.0.0.1:${at}/`);
    await makeLinks(1);
    await until(() => /evt_\w+ {2}refused {2}/.test(command.printed()), 'the refusal');
    const bodies: string[] = [];
    server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => bodies.push(text));
      request.on('end', () => response.writeHead(500).end('no'));
    });
    await new Promise<void>((resolve) => server?.listen(at, '127.0.0.1', resolve));
    const [{ id }] = await makeLinks(1);
    await until(() => /evt_\w+ {2}500 {2}/.test(command.printed()), 'the answer');
    expect(bodies.join('')).to.include(id);
    server.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    command.interrupt();
    await command.ended;
    expect(command.said()).to.include('2 events received, 0 delivered, 1 refused, 1 not delivered, 0 missed.');
  });

  it('brings each event of a burst once, and names those that it missed', async () => {
    const [link] = await makeLinks(1);
    const command = await listen(['--events', 'link.clicked']);
    const follow = () =>
      fetch(`${child.origin}/${link.slug}`, { headers: { 'User-Agent': AGENTS.human }, redirect: 'manual' });
    for (let at = 0; at < BURST; at += 50) await Promise.all(Array.from({ length: 50 }, follow));
    const ids = () => receiver.received.map(({ headers }) => headers['svc-event-id']);
    await until(() => ids().length >= BURST, `${BURST} clicks`, 120_000);
    expect(new Set(ids()).size).to.equal(BURST);
    expect(ids()).to.have.length(BURST);
    command.interrupt();
    await command.ended;
    expect(command.said()).to.include(
      `${BURST} events received, ${BURST} delivered, 0 refused, 0 not delivered, 0 missed.`,
    );
    // There were other events too, and a stream begins with at most so many.
    receiver.received.length = 0;
    const back = await listen(['--since', '1h']);
    await back.untilSaid(/Missed \d+ events after evt_\w+: svc api/);
    await until(() => receiver.received.length === BURST, 'what it did not miss', 120_000);
    back.interrupt();
    await back.ended;
    expect(Number(/(\d+) missed\.\n/.exec(back.said())?.[1])).to.be.within(1, 500);
  });

  it('ends with 4 when its key is revoked', async () => {
    const { body: made } = await api('POST', '/keys', { name: 'Listener', scopes: ['events:read', 'links:read'] });
    const command = await listen([], made.key);
    expect((await api('DELETE', `/keys/${made.id}`)).status).to.equal(204);
    expect(await command.ended).to.equal(4);
    expect(command.said()).to.include('error: invalid_key');
  });

  it('triggers samples without the server', async () => {
    const run = async (...words: string[]) => {
      const command = startCommand(words, { origin: child.origin, key, home });
      return { code: await command.ended, out: command.printed(), err: command.said() };
    };
    const to = ['--forward-to', receiver.url];
    const { body: before } = await api('GET', '/events?limit=1');
    const done = await run(
      'webhooks',
      'trigger',
      'link.clicked',
      ...to,
      '--set',
      'data.link.slug=x',
      '--set',
      'data.click.bot=true',
    );
    expect(done.code, done.err).to.equal(0);
    const [{ body, event, headers }] = receiver.received as [Receiver['received'][number]];
    expect(event).to.deep.include({ type: 'link.clicked', test: true });
    expect([event.data.link.slug, event.data.click.bot]).to.deep.equal(['x', true]);
    const secret = (await run('listen', '--secret')).out.trim();
    expect(constructEvent(body, headers['svc-signature'], secret).id).to.equal(event.id);
    expect((await api('GET', '/events?limit=1')).body).to.deep.equal(before);
    expect((await run('webhooks', 'trigger', 'link.clickd', ...to)).code).to.equal(64);
    expect((await run('webhooks', 'trigger', 'link.created', ...to, '--set', 'data.nothing.x=1')).code).to.equal(64);
    const away = ['--forward-to', `http://127.0.0.1:${await freePort()}/`];
    expect((await run('webhooks', 'trigger', 'link.created', ...away)).code).to.equal(1);
  });
});
