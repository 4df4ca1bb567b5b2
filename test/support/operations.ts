import type { Route } from '../../facade/Route.ts';
import type { Api, CallOptions, Reply } from './api.ts';
import type { Tenant } from './tenants.ts';

/** A body that each operation takes, by its id. */
const BODIES: Record<string, object> = {
  createLink: { destination: 'https://www.example.com/' },
  updateLink: { title: 'Changed' },
  updateProject: { name: 'Renamed' },
  createWebhook: { url: 'http://127.0.0.1:9999/hook' },
  updateWebhook: { description: 'Changed' },
  testWebhook: { type: 'link.created' },
};

const QUERIES: Record<string, string> = { lookupLink: '?external_id=one' };

/** Ids for the variables of paths, by the first segment. */
export interface Things {
  links: string;
  projects: string;
  webhooks: string;
  deliveries: string;
}

/** One thing of each kind in a project; its link has the external id `one`. */
export async function makeThings({ api, projectId }: Tenant): Promise<Things> {
  const link = await api('POST', '/links', { ...BODIES.createLink, external_id: 'one' });
  const webhook = await api('POST', '/webhooks', BODIES.createWebhook);
  const delivery = await api('POST', `/webhooks/${webhook.body.id}/test`, BODIES.testWebhook);
  return { links: link.body.id, projects: projectId, webhooks: webhook.body.id, deliveries: delivery.body.id };
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
  return hasBody(route) ? BODIES[route.id] : undefined;
}

/** Calls an operation on these things, well-formed unless told otherwise; without a body where it takes none. */
export function callRoute(
  route: Route,
  api: Api,
  things: Things,
  { body = bodyOf(route), ...options }: CallOptions & { body?: unknown } = {},
): Promise<Reply> {
  return api(route.method, pathOf(route, things), hasBody(route) ? body : undefined, options);
}
