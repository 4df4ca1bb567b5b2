import { randomUUID } from 'node:crypto';
import { REQUEST_EXAMPLES, TEXT_EXAMPLES } from '../../facade/openapi/examples.ts';
import type { Route } from '../../facade/routes/Route.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Alert } from '../../src/models/Alert.ts';
import { Import } from '../../src/models/Import.ts';
import type { Api, CallOptions, Reply } from './api.ts';
import type { Tenant } from './tenants.ts';

/** Bodies by operation, where tests need another one than the document shows. */
const BODIES: Record<string, object> = {
  createLink: { destination: 'https://www.example.com/' },
  updateLink: { title: 'Changed' },
  updateProject: { name: 'Renamed' },
  createWebhook: { url: 'http://127.0.0.1:9999/hook' },
  updateWebhook: { description: 'Changed' },
  testWebhook: { type: 'link.created' },
  replayWebhook: { since: new Date(Date.now() - 3_600_000).toISOString() },
  rotateWebhookSecret: { expire_previous_seconds: 60 },
  createDomain: { hostname: 'made.example.com' },
  updateDomain: { root_destination: 'https://www.example.com/root' },
  createTag: { name: 'Made', color: '#ff8800' },
  updateTag: { name: 'Renamed' },
  createKey: { name: 'Made', scopes: ['*:read'] },
  rollKey: { expire_previous_seconds: 60 },
};

const QUERIES: Record<string, string> = { lookupLink: '?external_id=one' };

/** Ids for the variables of paths, by the first segment. */
export interface Things {
  links: string;
  projects: string;
  webhooks: string;
  deliveries: string;
  domains: string;
  tags: string;
  keys: string;
  alerts: string;
  imports: string;
  installs: string;
}

/** One thing of each kind in a project; its link has the external id `one`. */
export async function makeThings({ api, sdk, ...tenant }: Tenant): Promise<Things> {
  const link = await api('POST', '/links', { ...BODIES.createLink, external_id: 'one' });
  const webhook = await api('POST', '/webhooks', BODIES.createWebhook);
  const delivery = await api('POST', `/webhooks/${webhook.body.id}/test`, BODIES.testWebhook);
  // A name of this machine: no name server is asked when it is verified.
  const domain = await api('POST', '/domains', { hostname: `${randomUUID()}.localhost` });
  const tag = await api('POST', '/tags', { name: 'one' });
  const key = await api('POST', '/keys', BODIES.createKey);
  const installId = randomUUID();
  await (await sdk())('POST', '/open', { ...REQUEST_EXAMPLES.recordOpen, install_id: installId });
  return {
    links: link.body.id,
    projects: tenant.projectId,
    webhooks: webhook.body.id,
    deliveries: delivery.body.id,
    domains: domain.body.id,
    tags: tag.body.id,
    keys: key.body.id,
    alerts: await makeAlert(tenant),
    imports: await makeImport(tenant.projectId),
    installs: installId,
  };
}

/** An alert as the product raises them; `more` are columns. Gives its id. */
export async function makeAlert(
  { teamId, projectId }: { teamId: string; projectId: string | null },
  more: object = {},
): Promise<string> {
  const id = newId('alt');
  const alert = { kind: 'domain', severity: 'info', title: 'Title', message: 'Message', details: {}, incident: id };
  await inTransaction((transaction) => Alert.create({ id, teamId, projectId, ...alert, ...more }, { transaction }));
  return id;
}

/** An import that has been cancelled, so that no job takes it in hand. Gives its id. */
async function makeImport(projectId: string): Promise<string> {
  const id = newId('imp');
  const columns = {
    sourceFormat: 'svc',
    status: 'cancelled',
    onConflict: 'skip',
    delimiter: ',',
    header: ['destination'],
  };
  const ended = { unknownColumns: [], rows: 1, finishedAt: new Date() };
  await inTransaction((transaction) =>
    Import.create({ id, projectId, batchId: newId('bat'), ...columns, ...ended }, { transaction }),
  );
  return id;
}

export function hasBody(route: Route): boolean {
  return route.method !== 'GET' && route.method !== 'DELETE';
}

/** The path of an operation on these things, with the query that it needs. */
export function pathOf(route: Route, things: Things): string {
  const thing = things[route.path.split('/')[1] as keyof Things];
  return route.path.replace(/\{\w+\}/, thing) + (QUERIES[route.id] ?? '');
}

/** A body that the operation takes; undefined where it takes none. */
export function bodyOf(route: Route): object | undefined {
  return hasBody(route) ? (BODIES[route.id] ?? REQUEST_EXAMPLES[route.id]) : undefined;
}

/** The API that has the operation, with a key that is good there. */
export async function apiWith(route: Route, { api, sdk }: Tenant): Promise<Api> {
  return route.api === 'sdk' ? sdk() : api;
}

/** Calls an operation on these things, well-formed unless told otherwise; without a body where it takes none. */
export function callRoute(
  route: Route,
  api: Api,
  things: Things,
  { body = bodyOf(route), ...options }: CallOptions & { body?: unknown } = {},
): Promise<Reply> {
  if (route.takes === 'csv') {
    const csv = { raw: TEXT_EXAMPLES[route.id] ?? '', headers: { 'Content-Type': 'text/csv' } };
    return api(route.method, pathOf(route, things), undefined, { ...csv, ...options });
  }
  return api(route.method, pathOf(route, things), hasBody(route) ? body : undefined, options);
}
