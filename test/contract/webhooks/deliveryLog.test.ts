// stores: each
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { purgeEvents } from '../../../src/events/eventStore.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Attempt } from '../../../src/models/Attempt.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { Event } from '../../../src/models/Event.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { purgeDeletedWebhooks, purgeDeliveries } from '../../../src/webhooks/deliveryStore.ts';
import { expectError } from '../../support/expectError.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import { useOwnWorld } from '../../support/world.ts';

type Answer = (response: ServerResponse) => unknown;
const ok: Answer = (response) => response.end();
const down: Answer = (response) => response.writeHead(500).end();

const DAY = 86_400;
/** Rows that one transaction of the purge deletes at most. */
const BATCH = 500;

describe('the log of deliveries', () => {
  const world = useOwnWorld({ WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_DISABLE_AFTER: '0' });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let answer: Answer;
  let time: StoppedClock;
  let hook: Hook;
  let settings: typeof config;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
    settings = { ...config };
  });
  beforeEach(async () => {
    time = stopClock();
    answer = ok;
    receiver = await startReceiver((_, response) => answer(response));
    mine = await makeTenant(world, teamId);
    hook = await makeHook(mine.api, { url: receiver.url, event_types: ['*'] });
  });
  afterEach(async () => {
    await mine.api('DELETE', `/webhooks/${hook.id}`);
    await receiver.close();
    Object.assign(config, settings);
    clock.reset();
  });

  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const rowsOf = (webhookId: string, more: object = {}) => Delivery.count({ where: { webhookId, ...more } });
  const raise = async (count: number, status = 'succeeded', type: 'link.created' | 'link.deleted' = 'link.created') => {
    const before = await rowsOf(hook.id);
    await raiseEvents(mine, count, type);
    await until(async () => (await rowsOf(hook.id)) === before + count, 'deliveries');
    await until(async () => (await rowsOf(hook.id, { attemptCount: 0 })) === 0, 'their attempts', 30_000);
    const made = await hook.deliveries();
    for (const delivery of made.slice(0, count)) expect(delivery.status).to.equal(status);
    return idsOf(made.slice(0, count));
  };
  const purgeSome = async () => {
    const more = [await purgeDeliveries(BATCH), await purgeDeletedWebhooks(BATCH)];
    await purgeEvents('', BATCH);
    return more.includes(true);
  };
  /**
   * Purges until nothing is left to purge; gives how many rows went in each round. The product's own purge, which runs each
   * minute, may take some of them.
   */
  const purge = async (count: () => Promise<number>) => {
    const rounds: number[] = [];
    for (let more = true; more; ) {
      const before = await count();
      more = await purgeSome();
      rounds.push(before - (await count()));
    }
    return rounds;
  };

  describe('is purged', () => {
    it('after thirty days with its attempts and events, in small batches', async () => {
      const ids = await raise(1200);
      const events = () => Event.count({ where: { projectId: mine.projectId } });
      const deliveries = () => rowsOf(hook.id);
      const attemptsOf = async (deliveryId: string[]) => Attempt.count({ where: { deliveryId } });
      time.move(30 * DAY - 1);
      expect(await purge(deliveries)).to.deep.equal([0]);
      expect([await deliveries(), await events(), await attemptsOf(ids)]).to.deep.equal([1200, 1200, 1200]);
      const [kept] = await raise(1);
      time.move(60);
      const rounds = await purge(deliveries);
      expect(Math.max(...rounds)).to.be.below(1200);
      expect(rounds.reduce((sum, count) => sum + count, 0)).to.equal(1200);
      expect(idsOf(await hook.deliveries())).to.deep.equal([kept]);
      expect([await events(), await attemptsOf(ids), await attemptsOf([kept as string])]).to.deep.equal([1, 0, 1]);
    }).timeout(90_000);

    it('but for what is still to be sent', async () => {
      config.webhookRetrySeconds = [40 * DAY, 40 * DAY];
      const [done] = await raise(1);
      answer = down;
      const [pending] = await raise(1, 'pending');
      time.move(31 * DAY);
      await purge(() => rowsOf(hook.id));
      expectError(await mine.api('GET', `/deliveries/${done}`), 404, 'not_found');
      expect(await hook.delivery(pending as string)).to.include({ status: 'pending', attempt_count: 1 });
      answer = ok;
      time.move(14 * DAY);
      await hook.nudge();
      await hook.untilDeliveries(1, ({ status }) => status === 'succeeded', 'its success');
    });
  });

  describe('shows', () => {
    it('each attempt as it was sent, also when the webhook has got another URL and secret', async () => {
      config.webhookRetrySeconds = [60];
      answer = down;
      const [id = ''] = await raise(1, 'pending');
      const other = await startReceiver();
      const { body: rotated } = await hook.act('rotate_secret', { expire_previous_seconds: 600 });
      await mine.api('PATCH', `/webhooks/${hook.id}`, { url: `${other.url}?x=1` });
      time.move(70);
      await hook.nudge();
      await hook.untilDeliveries(1, (one) => one.id === id && one.status === 'succeeded', 'the second attempt');
      const [shown, [listed]] = [await hook.delivery(id), await hook.deliveries()];
      expect(listed).to.deep.equal(shown);
      expect(shown.test).to.equal(false);
      const urls = shown.attempts.map(({ url }: { url: string }) => url);
      expect(urls).to.deep.equal([receiver.url, `${other.url}?x=1`]);
      const seen = [receiver.received[0], other.received[0]].map((request) => request?.headers ?? {});
      for (const [at, { request_headers: headers }] of shown.attempts.entries()) {
        expect(Object.keys(headers)).to.include.members(['Content-Type', 'User-Agent', 'SVC-Signature', 'SVC-Attempt']);
        for (const [name, value] of Object.entries(headers)) {
          expect(value, name).to.equal((seen[at] as Record<string, string>)[name.toLowerCase()]);
        }
      }
      expect(shown.attempts[1].request_headers['SVC-Signature'].match(/v1=/g)).to.have.length(2);
      expect(JSON.stringify(shown)).to.not.include(rotated.secret);
      await other.close();
    });

    it('null for what was not kept of attempts before, and whether it is a test', async () => {
      const [id = ''] = await raise(1);
      await inTransaction((transaction) =>
        Attempt.update({ url: null, signature: null }, { where: { deliveryId: id }, transaction }),
      );
      const { attempts } = await hook.delivery(id);
      expect(attempts).to.have.length(1);
      expect(attempts[0]).to.include({ number: 1, url: null, request_headers: null });
      const { body } = await hook.act('test', { type: 'link.created' });
      expect(body.test).to.equal(true);
      await hook.untilDeliveries(1, (one) => one.id === body.id && one.test && one.attempt_count === 1, 'the test');
    });

    it('as many attempts as it counts, whatever is written while it is read', async () => {
      const [id = ''] = await raise(1);
      const next = (await Attempt.findOne({ where: { deliveryId: id }, rejectOnEmpty: true })).get();
      // As if it had ended after the delivery was read and before its attempts were.
      await inTransaction((transaction) =>
        Attempt.create({ ...next, id: newId('att'), number: 2, manual: true }, { transaction }),
      );
      for (const shown of [await hook.delivery(id), (await hook.deliveries())[0]]) {
        expect([shown.attempt_count, shown.attempts.length]).to.deep.equal([1, 1]);
      }
    });
  });

  describe('is listed', () => {
    it('by status, type and time, page by page, newest first', async () => {
      config.webhookRetrySeconds = [];
      const first = await raise(3);
      time.move(10);
      const at = new Date(time.nowMs).toISOString();
      const deleted = await raise(3, 'succeeded', 'link.deleted');
      answer = down;
      const failed = await raise(3, 'failed');
      time.move(10);
      const after = new Date(time.nowMs).toISOString();
      const late = await raise(2, 'failed', 'link.deleted');
      const table: [Record<string, string>, string[]][] = [
        [{}, [...late, ...failed, ...deleted, ...first]],
        [{ status: 'failed' }, [...late, ...failed]],
        [{ status: 'pending' }, []],
        [{ status: 'cancelled' }, []],
        [{ event_type: 'link.deleted' }, [...late, ...deleted]],
        [{ created_after: at }, [...late, ...failed, ...deleted]],
        [{ created_before: at }, first],
        [{ created_after: at, created_before: after }, [...failed, ...deleted]],
        [{ created_after: at, created_before: after, status: 'failed', event_type: 'link.deleted' }, []],
        [{ created_after: at, status: 'succeeded', event_type: 'link.deleted' }, deleted],
      ];
      for (const [query, ids] of table) {
        for (const limit of ['1', '2', '100']) {
          const listed = idsOf(await hook.deliveries({ ...query, limit }));
          expect(listed, JSON.stringify(query)).to.have.members(ids);
          expect(new Set(listed).size).to.equal(ids.length);
        }
      }
      const times = (await hook.deliveries({ limit: '2' })).map(({ created_at }) => created_at);
      expect(times).to.deep.equal([...times].sort().reverse());
    });

    it('each once while others come and these change', async () => {
      config.webhookRetrySeconds = [];
      answer = down;
      const ids = await raise(25, 'failed');
      answer = ok;
      let page = 0;
      const between = async () => {
        time.move(1);
        await mine.api('POST', `/deliveries/${ids[page]}/resend`);
        page += 5;
        await raiseEvents(mine, 3);
        await until(async () => (await rowsOf(hook.id, { status: 'pending' })) === 0, 'new ones');
      };
      const rows = await walk(mine.api, `/webhooks/${hook.id}/deliveries`, { limit: '5' }, between);
      expect(idsOf(rows)).to.deep.equal(ids);
    });

    it('with cursors that are good for the same question alone', async () => {
      await raise(3);
      const path = `/webhooks/${hook.id}/deliveries?limit=1`;
      const { next_cursor } = (await mine.api('GET', path)).body;
      const other = await makeHook(mine.api, { url: receiver.url });
      for (const wrong of [`${path}&status=failed`, `/webhooks/${other.id}/deliveries?limit=1`]) {
        expectError(await mine.api('GET', `${wrong}&cursor=${next_cursor}`), 400, 'invalid_request');
      }
      expectError(await mine.api('GET', `${path}&cursor=x`), 400, 'invalid_request');
    });

    it('to nobody else: 404', async () => {
      const [id] = await raise(1);
      for (const { api } of [await makeTenant(world, teamId), await makeTenant(world)]) {
        expectError(await api('GET', `/deliveries/${id}`), 404, 'not_found');
        expectError(await api('GET', `/webhooks/${hook.id}/deliveries`), 404, 'not_found');
      }
    });
  });

  describe('goes with its webhook', () => {
    it('which is gone at once everywhere, and its rows in small batches', async () => {
      const [id] = await raise(1200);
      expect((await mine.api('DELETE', `/webhooks/${hook.id}`)).status).to.equal(204);
      const paths: [string, string, object?][] = [
        ['GET', `/deliveries/${id}`],
        ['POST', `/deliveries/${id}/resend`],
        ['GET', `/webhooks/${hook.id}`],
        ['GET', `/webhooks/${hook.id}/deliveries`],
        ['GET', `/webhooks/${hook.id}/secret`],
        ['PATCH', `/webhooks/${hook.id}`, { description: 'x' }],
        ['POST', `/webhooks/${hook.id}/test`, { type: 'link.created' }],
        ['POST', `/webhooks/${hook.id}/enable`],
        ['POST', `/webhooks/${hook.id}/replay`, { since: new Date(time.nowMs).toISOString() }],
        ['DELETE', `/webhooks/${hook.id}`],
      ];
      for (const [method, path, body] of paths) expectError(await mine.api(method, path, body), 404, 'not_found');
      expect((await mine.api('GET', '/webhooks')).body.data).to.deep.equal([]);
      const rounds = await purge(() => rowsOf(hook.id));
      expect(Math.max(...rounds)).to.be.below(1200);
      await purgeSome();
      expect([await rowsOf(hook.id), await Webhook.unscoped().count({ where: { id: hook.id } })]).to.deep.equal([0, 0]);
    }).timeout(90_000);
  });
});
