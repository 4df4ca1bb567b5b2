// stores: each
import { expect } from 'chai';
import { insertRows } from '../../../src/db/rows.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { EVENT_TYPES } from '../../../src/events/catalogue.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Attempt } from '../../../src/models/Attempt.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { graphql } from '../../support/graphql.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const HOUR_MS = 3_600_000;
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1999/hook';
const STATS = `stats(interval: $interval) { succeeded failed pending lastDeliveryAt lastSuccessAt medianMs
  buckets { start succeeded failed } }`;

describe('figures of deliveries in GraphQL', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;
  let stranger: string;
  let hook: Hook;
  let other: Hook;
  let teamWide: string;

  before(async () => {
    mine = await firstTenant(world);
    viewer = await memberSession(world, mine.teamId, 'viewer');
    stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    hook = await makeHook(mine.api, { url: NOWHERE, event_types: ['domain.verified'] });
    other = await makeHook(mine.api, { url: NOWHERE, event_types: ['domain.verified'] });
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const input = { teamId: mine.teamId, url: NOWHERE, eventTypes: ['domain.verified'] };
    const made = await graphql(world.origin, create, { input }, await ownerSession(world));
    teamWide = made.data.createWebhook.id;
    const shared = newId('evt');
    await store([
      { webhookId: hook.id, status: 'succeeded', hoursAgo: 1, durations: [30] },
      { webhookId: hook.id, status: 'succeeded', hoursAgo: 1, durations: [900, 10], eventId: shared },
      { webhookId: hook.id, status: 'succeeded', hoursAgo: 3, durations: [20] },
      { webhookId: hook.id, status: 'failed', hoursAgo: 3, durations: [5], eventType: 'link.deleted' },
      { webhookId: hook.id, status: 'cancelled', hoursAgo: 30 },
      { webhookId: hook.id, status: 'pending', hoursAgo: 40 },
      { webhookId: other.id, status: 'failed', hoursAgo: 2, eventId: shared },
      { webhookId: teamWide, status: 'succeeded', hoursAgo: 2, eventId: shared },
      { webhookId: teamWide, status: 'succeeded', hoursAgo: 2, projectId: (await makeTenant(world)).projectId },
    ]);
    sharedEvent = shared;
  });
  let sharedEvent: string;

  interface Stored {
    webhookId: string;
    status: string;
    hoursAgo: number;
    /** Of its attempts; only the last one succeeds. */
    durations?: number[];
    eventId?: string;
    eventType?: string;
    projectId?: string;
  }

  /** Deliveries that have ended, as the workers leave them; nothing of them is due. */
  async function store(all: Stored[]): Promise<void> {
    const made = all.map(({ hoursAgo, durations = [], eventId = newId('evt'), ...row }) => {
      const at = new Date(Date.now() - hoursAgo * HOUR_MS);
      const given = {
        id: newId('dlv'),
        eventId,
        eventType: 'link.created',
        requestBody: '{}',
        projectId: mine.projectId,
      };
      return { durations, row: { ...given, ...row, attemptCount: durations.length, createdAt: at, updatedAt: at } };
    });
    const attempts = made.flatMap(({ durations, row }) =>
      durations.map((durationMs, index) => ({
        ...{ id: newId('att'), deliveryId: row.id, number: index + 1, at: row.createdAt, manual: false, durationMs },
        error: index === durations.length - 1 && row.status === 'succeeded' ? null : 'status',
      })),
    );
    await inTransaction(async (transaction) => {
      await insertRows(
        Delivery,
        made.map(({ row }) => row),
        { transaction },
      );
      await insertRows(Attempt, attempts, { transaction });
    });
  }

  const ask = (query: string, variables: object = {}, cookie = viewer) =>
    graphql(world.origin, query, { projectId: mine.projectId, ...variables }, cookie);
  const codeOf = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.[0]?.extensions.code;

  describe('Webhook.stats', () => {
    const LIST = `query ($projectId: ID!, $interval: String) { webhooks(projectId: $projectId) { data { id ${STATS} } } }`;
    const statsOf = async (variables: object = {}) => {
      const { data } = await ask(LIST, variables);
      return data.webhooks.data.find(({ id }: { id: string }) => id === hook.id).stats;
    };

    it('counts the last day by default, and by hour without gaps', async () => {
      const stats = await statsOf();
      expect(stats).to.include({ succeeded: 3, failed: 1, pending: 1, medianMs: 20 });
      expect(stats.buckets.length).to.be.within(24, 25);
      const filled = stats.buckets.filter(({ succeeded, failed }: never) => succeeded + failed > 0);
      expect(filled.map(({ succeeded, failed }: never) => [succeeded, failed])).to.deep.equal([
        [1, 1],
        [2, 0],
      ]);
      const starts = stats.buckets.map(({ start }: { start: string }) => Date.parse(start));
      for (const [at, start] of starts.entries()) expect(start).to.equal(starts[0] + at * HOUR_MS);
    });

    it('knows the newest delivery and the newest success', async () => {
      const stats = await statsOf();
      expect(Date.now() - Date.parse(stats.lastDeliveryAt)).to.be.closeTo(HOUR_MS, 60_000);
      expect(stats.lastSuccessAt).to.equal(stats.lastDeliveryAt);
    });

    it('counts other intervals, by day where they are longer', async () => {
      expect(await statsOf({ interval: '1h' })).to.include({ succeeded: 0, failed: 0, pending: 1, medianMs: null });
      const week = await statsOf({ interval: '7d' });
      expect(week).to.include({ succeeded: 3, failed: 2 });
      expect(week.buckets.length).to.be.within(7, 8);
      expect((await statsOf({ interval: 'all' })).failed).to.equal(2);
      expect(codeOf(await ask(LIST, { interval: '5m' }))).to.equal('validation_failed');
    });

    it('has zeros for a webhook that got nothing', async () => {
      const quiet = await makeHook(mine.api, { url: NOWHERE });
      const one = `query ($id: ID!, $interval: String) { webhook(id: $id) { ${STATS} } }`;
      const { data } = await ask(one, { id: quiet.id });
      expect(data.webhook.stats).to.include({
        succeeded: 0,
        failed: 0,
        pending: 0,
        lastDeliveryAt: null,
        medianMs: null,
      });
      expect(codeOf(await ask(one, { id: quiet.id }, stranger))).to.equal('not_found');
    });
  });

  describe('deliveryCount', () => {
    const COUNT = `query ($webhookId: ID, $projectId: ID, $groupBy: DeliveryGrouping, $status: DeliveryStatus,
      $eventType: String, $createdAfter: DateTimeISO) {
      deliveryCount(webhookId: $webhookId, projectId: $projectId, groupBy: $groupBy, status: $status,
        eventType: $eventType, createdAfter: $createdAfter) { count data { key count } } }`;
    const count = async (variables: object) => (await ask(COUNT, variables)).data.deliveryCount;

    it('counts those of a webhook by status and by type, under the filters of the list', async () => {
      const asked = { webhookId: hook.id, projectId: undefined };
      const byStatus = await count({ ...asked, groupBy: 'status' });
      expect(byStatus.count).to.equal(6);
      expect(byStatus.data[0]).to.deep.equal({ key: 'succeeded', count: 3 });
      expect(byStatus.data.length).to.equal(4);
      const byType = await count({ ...asked, groupBy: 'event_type', status: 'failed' });
      expect(byType).to.deep.equal({ count: 1, data: [{ key: 'link.deleted', count: 1 }] });
      const createdAfter = new Date(Date.now() - 2 * HOUR_MS).toISOString();
      expect(await count({ ...asked, createdAfter, eventType: 'link.created' })).to.deep.equal({
        count: 2,
        data: null,
      });
    });

    it('counts those of a project over all webhooks that receive its events', async () => {
      expect((await count({})).count).to.equal(8);
    });

    it('wants a webhook or a project, and shows nothing to others', async () => {
      expect(codeOf(await ask(COUNT, { projectId: undefined }))).to.equal('validation_failed');
      expect(codeOf(await ask(COUNT, {}, stranger))).to.equal('not_found');
      expect(codeOf(await ask(COUNT, { webhookId: hook.id }, stranger))).to.equal('not_found');
    });
  });

  describe('deliveries', () => {
    const LIST = `query ($webhookId: ID, $projectId: ID, $eventId: ID, $status: DeliveryStatus, $limit: Int, $cursor: String) {
      deliveries(webhookId: $webhookId, projectId: $projectId, eventId: $eventId, status: $status, limit: $limit,
        cursor: $cursor) { data { id webhookId status } nextCursor } }`;

    it('lists those of one event, to all webhooks that got it', async () => {
      const { data } = await ask(LIST, { eventId: sharedEvent });
      expect(data.deliveries.data.map(({ webhookId }: { webhookId: string }) => webhookId)).to.have.members([
        hook.id,
        other.id,
        teamWide,
      ]);
      const own = await ask(LIST, { eventId: sharedEvent, webhookId: hook.id });
      expect(own.data.deliveries.data.length).to.equal(1);
    });

    it('pages through those of a project, without those of other projects', async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { data } = await ask(LIST, { limit: 3, cursor });
        seen.push(...data.deliveries.data.map(({ id }: { id: string }) => id));
        cursor = data.deliveries.nextCursor;
      } while (cursor);
      expect(new Set(seen).size).to.equal(8).and.to.equal(seen.length);
    });

    it('leaves out deliveries to a webhook that was deleted', async () => {
      const gone = await makeHook(mine.api, { url: NOWHERE });
      await store([{ webhookId: gone.id, status: 'failed', hoursAgo: 1 }]);
      const failed = async () => (await ask(LIST, { status: 'failed' })).data.deliveries.data.length;
      expect(await failed()).to.equal(3);
      await mine.api('DELETE', `/webhooks/${gone.id}`);
      expect(await failed()).to.equal(2);
    });

    it('wants a webhook or a project, and shows nothing to others', async () => {
      const neither = await ask(LIST, { projectId: undefined, eventId: sharedEvent });
      expect(codeOf(neither)).to.equal('validation_failed');
      expect(codeOf(await ask(LIST, { eventId: sharedEvent }, stranger))).to.equal('not_found');
      expect(codeOf(await ask(LIST, { projectId: undefined, webhookId: hook.id }, stranger))).to.equal('not_found');
    });
  });

  describe('replayPreview', () => {
    const PREVIEW = 'query ($id: ID!, $input: ReplayInput!) { replayPreview(id: $id, input: $input) { count } }';

    it('counts what a replay would send, also to a webhook that is off, and sends nothing', async () => {
      const since = new Date(Date.now() - HOUR_MS).toISOString();
      const quiet = await makeHook(mine.api, { url: NOWHERE, event_types: ['link.created'] });
      await quiet.act('disable');
      await mine.api('POST', '/links', { destination: 'https://example.com/missed' });
      const input = { since, status: 'missing' };
      const counted = await until(
        async () => (await ask(PREVIEW, { id: quiet.id, input })).data.replayPreview.count,
        'the event',
      );
      expect(counted).to.be.at.least(1);
      expect(await quiet.deliveries()).to.deep.equal([]);
      expect(codeOf(await ask(PREVIEW, { id: quiet.id, input }, stranger))).to.equal('not_found');
      const old = { since: '2020-01-01T00:00:00Z' };
      expect(codeOf(await ask(PREVIEW, { id: quiet.id, input: old }))).to.equal('validation_failed');
    });
  });

  it('shows which secrets sign until when, and never the secrets', async () => {
    const query = 'query ($id: ID!) { webhook(id: $id) { signingSecrets { lastFour expiresAt } } }';
    const before = (await ask(query, { id: hook.id })).data.webhook.signingSecrets;
    expect(before).to.deep.equal([{ lastFour: hook.secret.slice(-4), expiresAt: null }]);
    await hook.act('rotate_secret', { expire_previous_seconds: 3600 });
    const [current, previous] = (await ask(query, { id: hook.id })).data.webhook.signingSecrets;
    expect(current.expiresAt).to.equal(null);
    expect(previous.lastFour).to.equal(hook.secret.slice(-4));
    expect(Date.parse(previous.expiresAt) - Date.now()).to.be.closeTo(HOUR_MS, 60_000);
  });

  it('has a sample of every event type', async () => {
    const { data } = await graphql(world.origin, '{ service { eventTypes { type sample } } }');
    expect(data.service.eventTypes.length).to.equal(Object.keys(EVENT_TYPES).length);
    for (const { type, sample } of data.service.eventTypes) expect(sample).to.include({ type, test: true });
  });
});
