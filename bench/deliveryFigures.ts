import 'reflect-metadata';
import type { SessionPrincipal } from '../src/access/principal.ts';
import { dialect } from '../src/db/connection/database.ts';
import { insertInto, sqlTime } from '../src/db/jsonRows.ts';
import { queryRaw } from '../src/db/query.ts';
import { inTransaction } from '../src/db/transactions.ts';
import { DAY_MS } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';
import { Project } from '../src/models/Project.ts';
import { Team } from '../src/models/Team.ts';
import { Webhook } from '../src/models/Webhook.ts';
import { countListedDeliveries, listDeliveries } from '../src/webhooks/deliveryListService.ts';
import { statsOfWebhooks } from '../src/webhooks/webhookStatsService.ts';
import { openStore } from '../test/support/store.ts';
import { option, print } from './support/product.ts';
import { best } from './support/timings.ts';

/**
 * What the pages of webhooks ask: figures over a day and over thirty, counts and pages of deliveries, each the best of five, in
 * milliseconds. Deliveries are spread over thirty days and four webhooks, one in ten has failed. The store is that of STORE.
 *
 *   STORE=sqlite|postgres npm run bench -- deliveryFigures [deliveries=300000]
 */
const deliveries = Number(option('deliveries', '300000'));
const PART = 2000;
const WEBHOOKS = ['wh_bench0', 'wh_bench1', 'wh_bench2', 'wh_bench3'];
const projectId = 'prj_bench';
const TYPES = ['link.clicked', 'link.created', 'link.updated'];

const store = await openStore();
const principal: SessionPrincipal = {
  kind: 'session',
  userId: 'usr_bench',
  tokenHash: '',
  roles: new Map([['team_bench', 'owner']]),
  deletedRoles: new Map(),
  isPending: false,
  isDeleted: false,
};
await makeWebhooks();
const startedAt = Date.now();
for (let from = 0; from < deliveries; from += PART) await insertPart(from);
print(`${deliveries} deliveries inserted in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
// The product never analyzes on SQLite; PostgreSQL does so by itself.
if (dialect() === 'postgres') await queryRaw('ANALYZE', []);

const [webhookId = ''] = WEBHOOKS;
const yesterday = new Date(startedAt - DAY_MS);
const page = { limit: 50, cursor: null };
const questions: Record<string, () => Promise<unknown>> = {
  'figures of one webhook, a day': () => statsOfWebhooks([webhookId], '24h'),
  'figures of four webhooks, a day': () => statsOfWebhooks(WEBHOOKS, '24h'),
  'figures of four webhooks, 30 days': () => statsOfWebhooks(WEBHOOKS, '30d'),
  'counts of a webhook by status': () => countListedDeliveries(principal, { webhookId, groupBy: 'status' }),
  'counts of a webhook by type': () => countListedDeliveries(principal, { webhookId, groupBy: 'event_type' }),
  'counts of a project by status': () => countListedDeliveries(principal, { projectId, groupBy: 'status' }),
  'counts of a project, a day': () =>
    countListedDeliveries(principal, { projectId, createdAfter: yesterday, groupBy: 'status' }),
  'first page of a webhook': () => listDeliveries(principal, { webhookId, ...page }),
  'first page of a webhook, failed': () => listDeliveries(principal, { webhookId, status: 'failed', ...page }),
  'first page of a webhook, of a status that none has': () =>
    listDeliveries(principal, { webhookId, status: 'cancelled', ...page }),
  'first page of a webhook, of a type that none has': () =>
    listDeliveries(principal, { webhookId, eventType: 'link.flagged', ...page }),
  'first page of a project': () => listDeliveries(principal, { projectId, ...page }),
  'first page of a project, failed': () => listDeliveries(principal, { projectId, status: 'failed', ...page }),
};
for (const [question, ask] of Object.entries(questions)) {
  print(`${question.padEnd(52)} ${(await best(ask)).toFixed(1).padStart(7)} ms`);
}
await store.close();

async function makeWebhooks(): Promise<void> {
  await inTransaction(async (transaction) => {
    await Team.create({ id: 'team_bench', name: 'Bench' }, { transaction });
    await Project.create({ id: projectId, teamId: 'team_bench', name: 'Bench', apps: [] }, { transaction });
    const shared = { teamId: 'team_bench', projectId, url: 'https://example.com/', eventTypes: ['*'] };
    await Webhook.bulkCreate(
      WEBHOOKS.map((id) => ({ ...shared, id, secrets: '[]', apiVersion: '2026-11-01' })),
      { transaction },
    );
  });
}

async function insertPart(from: number): Promise<void> {
  const rows = Array.from({ length: Math.min(PART, deliveries - from) }, (_, index) => {
    const number = from + index;
    const at = Math.floor(startedAt - ((deliveries - number) / deliveries) * 30 * DAY_MS);
    return { number, id: firstIdAt('dlv', at), at: sqlTime(at) };
  });
  const statusOf = (number: number) => (number % 10 === 0 ? 'failed' : 'succeeded');
  await inTransaction(async (transaction) => {
    await insertInto(
      'deliveries',
      {
        id: 'text',
        webhook_id: 'text',
        project_id: 'text',
        event_id: 'text',
        event_type: 'text',
        status: 'text',
        attempt_count: 'integer',
        request_body: 'text',
        created_at: 'time',
        updated_at: 'time',
      },
      rows.map(({ id, number, at }) => [
        id,
        WEBHOOKS[number % WEBHOOKS.length],
        projectId,
        `evt_${number}`,
        TYPES[number % TYPES.length],
        statusOf(number),
        1,
        '{}',
        at,
        at,
      ]),
      { transaction },
    );
    await insertInto(
      'attempts',
      { id: 'text', delivery_id: 'text', number: 'integer', at: 'time', duration_ms: 'integer', error: 'text' },
      rows.map(({ id, number, at }) => [
        `att_${number}`,
        id,
        1,
        at,
        number % 500,
        number % 10 === 0 ? 'timeout' : null,
      ]),
      { transaction },
    );
  });
}
