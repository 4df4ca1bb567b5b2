import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { AGENTS } from './agents.ts';
import { type Api, apiOf } from './api.ts';
import type { Child } from './child.ts';
import { startReceiver } from './receiver.ts';
import { sdkWith } from './sdk.ts';
import { until } from './until.ts';

/** People who follow a link and make others, until stopped. */
export interface PeopleAtWork {
  /** Redirects that were answered, and that were asked for, so far. */
  answered(): number;
  asked(): number;
  /** Links that were made. */
  made(): number;
  stop(): Promise<void>;
}

/** Follows the link `slug` all the time, and creates a link now and then. */
export function startWork(child: Child, slug: string): PeopleAtWork {
  const api = apiOf(child.origin, child.secretKey);
  const done = { answered: 0, asked: 0, made: 0 };
  let isStopped = false;
  const follow = async () => {
    while (!isStopped) {
      done.asked += 1;
      const { status } = await fetch(`${child.origin}/${slug}`, {
        redirect: 'manual',
        headers: { 'User-Agent': AGENTS.human },
      });
      if (status === 302) done.answered += 1;
      await delay(10);
    }
  };
  const make = async () => {
    while (!isStopped) {
      const { status } = await api('POST', '/links', { destination: 'https://www.example.com/' });
      if (status === 201) done.made += 1;
      await delay(20);
    }
  };
  const running = [follow(), follow(), follow(), make()];
  return {
    answered: () => done.answered,
    asked: () => done.asked,
    made: () => done.made,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Gives a product links with tags and a password, webhooks whose deliveries arrive or fail, clicks, and openings of an app. */
export async function furnish(child: Child): Promise<{ close(): Promise<void> }> {
  const api = apiOf(child.origin, child.secretKey);
  const receiver = await startReceiver((request, response) => {
    response.statusCode = request.url === '/hook?broken' ? 500 : 200;
    response.end();
  });
  for (const query of ['', '?broken']) await api('POST', '/webhooks', { url: `${receiver.url}${query}` });
  const tag = (await api('POST', '/tags', { name: 'Überblick ✓' })).body.id;
  const routing = { rules: [{ when: { platform: ['ios'] }, destination: 'https://www.example.com/ios' }] };
  for (const link of [
    { destination: 'https://www.example.com/', slug: 'first', tags: [tag], routing },
    { destination: 'https://www.example.com/?ü=漢', slug: 'second', password: 'a password' },
  ]) {
    const { status, body } = await api('POST', '/links', link);
    expect(status, JSON.stringify(body)).to.equal(201);
  }
  for (let at = 0; at < 30; at += 1) {
    await fetch(`${child.origin}/first`, { redirect: 'manual', headers: { 'User-Agent': AGENTS.human } });
  }
  const sdk = sdkWith(apiOf(child.origin, child.publishableKey, 'sdk'));
  for (let at = 0; at < 3; at += 1) {
    const install_id = randomUUID();
    expect((await sdk.open({ install_id })).status).to.equal(200);
    const reply = await sdk.event({ install_id, value: 12.5, currency: 'EUR', properties: { plan: 'ä' } });
    expect(reply.status).to.be.within(200, 202);
  }
  await until(() => receiver.received.some(({ event }) => event.type === 'link.created'), 'a delivery');
  await until(async () => {
    const { body } = await api('GET', '/analytics');
    return body.total?.count === 30;
  }, 'the clicks');
  return receiver;
}

/** What an owner reads: the same before and after a move. Times of work that goes on are left out. */
export async function readEverything(api: Api): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  const paths = [
    '/links?limit=100',
    '/tags',
    '/installs',
    '/domains',
    ...['platform', 'browser', 'link', 'tag'].map((by) => `/analytics?group_by=${by}`),
    '/analytics?event=install',
    '/analytics?event=app_event',
    '/events?type=link.created&limit=100',
  ];
  for (const path of paths) {
    const { status, body } = await api('GET', path);
    expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200);
    // The range of a question ends now.
    const { start: _start, end: _end, ...figures } = body;
    read[path] = figures;
  }
  for (const webhook of (await api('GET', '/webhooks')).body.data) {
    const { data } = (
      await api('GET', `/webhooks/${webhook.id}/deliveries?limit=100&status=succeeded&event_type=link.created`)
    ).body;
    read[`deliveries of ${webhook.url}`] = data;
  }
  return read;
}

/** Resolves when every event about a link that was made has arrived where it can. */
export async function settle(api: Api): Promise<void> {
  const [webhook] = (await api('GET', '/webhooks')).body.data.filter(({ url }: { url: string }) =>
    url.endsWith('/hook'),
  );
  const pending = `/webhooks/${webhook.id}/deliveries?status=pending&event_type=link.created&limit=1`;
  await until(async () => (await api('GET', pending)).body.data.length === 0, 'the deliveries', 120_000);
}
