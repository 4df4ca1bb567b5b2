// stores: any
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { freePort } from '../../support/child.ts';
import { Loopback } from '../../support/loopback.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { standStill } from '../../support/standStill.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

describe('attempts of deliveries', () => {
  let world: World;
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let answer: Answer;
  const loopback = new Loopback();

  before(async () => {
    receiver = await startReceiver((request, response) => answer(response, request));
    world = await startWorld({ WEBHOOK_TIMEOUT_SECONDS: '2', WEBHOOK_SWEEP_SECONDS: '1' });
    teamId = (await firstTenant(world)).teamId;
  });
  after(() => Promise.all([world.stop(), receiver.close(), loopback.close()]));
  beforeEach(async () => {
    receiver.received.length = 0;
    mine = await makeTenant(world, teamId);
  });
  afterEach(() => clock.reset());

  const hookAt = (url: string) => makeHook(mine.api, { url });
  const firstAttempt = async (hook: Hook) => {
    const [delivery] = await hook.untilDeliveries(1, ({ attempt_count }) => attempt_count === 1, 'the first attempt');
    return { ...delivery.attempts[0], delivery };
  };
  /** What is shown of the attempt that got this answer. */
  const attemptAt = async (toAnswer: Answer) => {
    answer = toAnswer;
    const hook = await hookAt(receiver.url);
    await raiseEvents(mine, 1);
    return firstAttempt(hook);
  };

  it('are POSTs of JSON with the headers of the contract', async () => {
    let request: IncomingMessage | undefined;
    const { delivery } = await attemptAt((response, asked) => {
      request = asked;
      response.end();
    });
    expect(request).to.include({ method: 'POST', url: '/hook' });
    const { host, connection: _, ...headers } = request?.headers ?? {};
    expect(host).to.equal(new URL(receiver.url).host);
    expect(headers).to.deep.include({
      'content-type': 'application/json',
      'user-agent': 'SVC-Webhooks/1',
      'svc-event-id': delivery.event_id,
      'svc-event-type': 'link.created',
      'svc-delivery-id': delivery.id,
      'svc-attempt': '1',
      'content-length': String(Buffer.byteLength(delivery.request_body)),
    });
    expect(headers['svc-signature']).to.match(/^t=\d{10},v1=[0-9a-f]{64}$/);
    const names = (request?.rawHeaders ?? []).filter((_, at) => at % 2 === 0);
    const spelled = ['SVC-Signature', 'SVC-Event-Id', 'SVC-Event-Type', 'SVC-Delivery-Id', 'SVC-Attempt'];
    expect(names).to.include.members(['Content-Type', 'User-Agent', ...spelled]);
    expect(receiver.received[0]?.body).to.equal(delivery.request_body);
    const envelope = ['id', 'type', 'api_version', 'created_at', 'team_id', 'project_id', 'test', 'data'];
    expect(Object.keys(receiver.received[0]?.event)).to.have.members(envelope);
  });

  it('are shown with exactly these fields', async () => {
    const time = stopClock();
    const { delivery, duration_ms, response_headers, request_headers, ...attempt } = await attemptAt((response) =>
      response.writeHead(201, { 'X-Odd': 'One', 'Content-Type': 'text/plain' }).end('Grüße 🙂'),
    );
    const at = new Date(time.nowMs).toISOString();
    expect(attempt).to.deep.equal({
      number: 1,
      at,
      manual: false,
      status_code: 201,
      response_body: 'Grüße 🙂',
      error: null,
      url: receiver.url,
    });
    expect(request_headers).to.include({ 'SVC-Attempt': '1', 'SVC-Delivery-Id': delivery.id });
    expect(duration_ms).to.satisfy(Number.isInteger).and.to.be.at.least(0);
    expect(response_headers).to.include({ 'x-odd': 'One', 'content-type': 'text/plain' });
    const { id, event_id, request_body, attempts, webhook_id, ...others } = delivery;
    expect(attempts.length).to.equal(1);
    expect(others).to.deep.equal({
      project_id: mine.projectId,
      event_type: 'link.created',
      event_count: 1,
      test: false,
      status: 'succeeded',
      attempt_count: 1,
      next_attempt_at: null,
      created_at: at,
      updated_at: at,
    });
    const [{ id: hookId }] = (await mine.api('GET', '/webhooks')).body.data;
    expect([id.slice(0, 4), webhook_id]).to.deep.equal(['dlv_', hookId]);
    expect(JSON.parse(request_body)).to.include({ id: event_id, type: 'link.created' });
  });

  for (const status of [200, 201, 202, 204, 205, 226, 299]) {
    it(`that get a ${status} have succeeded`, async () => {
      const { delivery, ...attempt } = await attemptAt((response) => response.writeHead(status).end());
      expect(attempt).to.include({ status_code: status, error: null });
      expect(delivery).to.include({ status: 'succeeded', next_attempt_at: null });
    });
  }

  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 422, 500, 503, 599]) {
    it(`that get a ${status} have failed, and go nowhere else`, async () => {
      const elsewhere = await startReceiver();
      const { delivery, ...attempt } = await attemptAt((response) =>
        response.writeHead(status, { Location: elsewhere.url }).end(),
      );
      expect(attempt).to.include({ status_code: status, error: 'status' });
      expect(attempt.response_headers).to.include({ location: elsewhere.url });
      expect(delivery.status).to.equal('pending');
      expect([elsewhere.received.length, receiver.received.length]).to.deep.equal([0, 1]);
      await elsewhere.close();
    });
  }

  it('count for nothing when this process stood still meanwhile: they are made again', async () => {
    const { webhookRetrySeconds } = config;
    config.webhookRetrySeconds = [1];
    let requests = 0;
    answer = (response) => {
      requests += 1;
      if (requests > 1) response.end();
      else standStill((config.webhookTimeoutSeconds + 1.5) * 1000);
    };
    const hook = await hookAt(receiver.url);
    await raiseEvents(mine, 1);
    const { delivery, ...attempt } = await firstAttempt(hook);
    config.webhookRetrySeconds = webhookRetrySeconds;
    expect(attempt).to.include({ number: 1, status_code: 200, error: null });
    expect(delivery).to.include({ status: 'succeeded', attempt_count: 1 });
    expect(receiver.received.map(({ headers }) => headers['svc-attempt'])).to.deep.equal(['1', '1']);
    expect(await hook.shown()).to.include({ consecutive_failures: 0, circuit: 'closed' });
  });

  describe('that got no answer say why', () => {
    const silent = { status_code: null, response_headers: null, response_body: null };
    const raw = async (reply: Parameters<Loopback['tcp']>[0]) => `http://127.0.0.1:${await loopback.tcp(reply)}/`;
    const table: [error: string, where: () => Promise<string>, more?: object][] = [
      ['connect', async () => `http://127.0.0.1:${await freePort()}/`],
      ['tls', async () => (await raw((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))).replace('http', 'https')],
      ['timeout', () => raw(() => {})],
      ['reset', () => raw((socket) => socket.once('data', () => socket.resetAndDestroy()))],
      ['bad_response', () => raw((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n\r\n')))],
      ['dns', async () => 'http://nobody.invalid/'],
      ['blocked_address', async () => 'http://169.254.169.254/latest'],
      ['status', async () => receiver.url, { status_code: 500, response_headers: {}, response_body: 'no' }],
    ];

    for (const [error, where, more = silent] of table) {
      it(error, async () => {
        answer = (response) => response.writeHead(500).end('no');
        const hook = await hookAt(receiver.url);
        // As if the name and the rules had been others when it was saved.
        const url = await where();
        await inTransaction((transaction) => Webhook.update({ url }, { where: { id: hook.id }, transaction }));
        await raiseEvents(mine, 1);
        const { delivery, at, duration_ms, request_headers, ...attempt } = await firstAttempt(hook);
        const headers = error === 'status' ? { response_headers: attempt.response_headers } : {};
        expect(attempt).to.deep.equal({ number: 1, manual: false, error, url, ...more, ...headers });
        expect([Date.parse(at), duration_ms]).to.satisfy((numbers: number[]) => numbers.every(Number.isInteger));
        expect(delivery).to.include({ status: 'pending', attempt_count: 1 });
        expect(await hook.shown()).to.include({ consecutive_failures: 1 });
      });
    }
  });

  describe('keep of the body of the answer', () => {
    it('the first 4 KiB', async () => {
      const { response_body } = await attemptAt((response) => response.end('a'.repeat(4095) + 'bc'.repeat(50_000)));
      expect(response_body).to.equal(`${'a'.repeat(4095)}b`);
    });

    it('all of 4 KiB, and an empty one', async () => {
      expect((await attemptAt((response) => response.end('a'.repeat(4096)))).response_body).to.equal('a'.repeat(4096));
      mine = await makeTenant(world, teamId);
      expect((await attemptAt((response) => response.end())).response_body).to.be.oneOf(['', null]);
    });

    it('no half of a character', async () => {
      const { response_body } = await attemptAt((response) => response.end(`x${'ä'.repeat(3000)}`));
      expect(response_body).to.equal(`x${'ä'.repeat(2047)}`);
    });

    it('text, whatever bytes it has', async () => {
      const bytes = Buffer.from([0x61, 0, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62, 0, 0x63]);
      const { response_body, delivery } = await attemptAt((response) =>
        response.writeHead(200, { 'X-Odd': 'gr\u00fc\u00dfe' }).end(bytes),
      );
      expect(delivery.status).to.equal('succeeded');
      expect(response_body)
        .to.match(/^a.+\(.+b.*c$/su)
        .and.not.include('\0');
      expect(response_body.isWellFormed()).to.equal(true);
    });

    it('also of one that broke off', async () => {
      const attempt = await attemptAt((response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('only this');
        setTimeout(() => response.destroy(), 50);
      });
      expect(attempt).to.include({ status_code: 200, response_body: 'only this', error: 'reset' });
      expect(attempt.delivery.status).to.equal('pending');
    });
  });
});
