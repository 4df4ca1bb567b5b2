import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { AGENTS } from './agents.ts';
import type { Api, CallOptions, Reply } from './api.ts';
import { rawRequest } from './rawRequest.ts';
import type { Tenant } from './tenants.ts';
import { type OwnWorld, SDK_SETTINGS, startWorld, type World } from './world.ts';

/** A device: what its browser says of it, and what an app on it tells. */
export interface Phone {
  headers: Record<string, string>;
  device: Record<string, unknown>;
}

export const IPHONE: Phone = {
  headers: { 'User-Agent': AGENTS.human, 'Accept-Language': 'de-DE,de;q=0.9' },
  device: { platform: 'ios', os_version: '18.1', device_model: 'iPhone17,3', language: 'de-DE' },
};
export const PIXEL: Phone = {
  headers: {
    'User-Agent':
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Accept-Language': 'en-GB,en;q=0.9',
  },
  device: { platform: 'android', os_version: '14', device_model: 'Google Pixel 8', language: 'en-GB' },
};

/** Where a request comes from; the product believes it of a trusted proxy: see startSdkWorld. */
export interface Ask extends CallOptions {
  from?: string;
}

/** What an app does; bodies are laid over those of a first opening on an iPhone, and of one event. */
export interface Sdk {
  open(body?: Record<string, unknown>, ask?: Ask): Promise<Reply>;
  resolve(url: unknown, ask?: Ask): Promise<Reply>;
  event(body?: Record<string, unknown>, ask?: Ask): Promise<Reply>;
}

/** The app of that project, with a publishable key. */
export async function sdkOf({ sdk }: Pick<Tenant, 'sdk'>): Promise<Sdk> {
  return sdkWith(await sdk());
}

export function sdkWith(api: Api): Sdk {
  const post = (path: string, body: object, { from, ...options }: Ask = {}) =>
    api('POST', path, body, { ...options, headers: { ...forwarded(from), ...options.headers } });
  return {
    open: (body, ask) => post('/open', { install_id: randomUUID(), first_open: true, ...IPHONE.device, ...body }, ask),
    resolve: (url, ask) => post('/resolve', { url }, ask),
    event: (body, ask) => post('/event', { install_id: randomUUID(), name: 'purchase', ...body }, ask),
  };
}

export function startSdkWorld(settings: Record<string, string> = {}): Promise<OwnWorld> {
  return startWorld({ ...SDK_SETTINGS, ...settings });
}

let addresses = 0;

/** An address that nobody had before, of a network for benchmarks: no country is known of it. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

/** Somebody who follows a link, from an address of their own if nothing else is said. Gives where they are sent. */
export async function visit(
  { origin }: Pick<World, 'origin'>,
  { slug }: { slug: string },
  {
    from = newAddress(),
    phone = IPHONE,
    host,
    query = '',
  }: { from?: string; phone?: Phone; host?: string; query?: string } = {},
): Promise<string> {
  const headers = { ...phone.headers, ...forwarded(from) };
  const reply = await rawRequest(origin, `/${slug}${query}`, { headers, ...(host ? { host } : {}) });
  expect(reply.status, reply.body).to.equal(302);
  return String(reply.headers.location);
}

function forwarded(from: string | undefined): Record<string, string> {
  return from === undefined ? {} : { 'X-Forwarded-For': from };
}

/** That an opening was traced back by that method, and to which link. */
export function expectMatch({ status, body }: Reply, method: string, link: { id: string }): void {
  expect(status, JSON.stringify(body)).to.equal(200);
  expect([body.match.method, body.link?.id], JSON.stringify(body.match)).to.deep.equal([method, link.id]);
  const guaranteed = method !== 'probabilistic';
  expect(body.match).to.include({ matched: true, guaranteed });
  if (guaranteed) expect(body.match.confidence).to.equal(100);
}

/** That nothing was found, for exactly these reasons. */
export function expectNone({ status, body }: Reply, ...factors: string[]): void {
  expect(status, JSON.stringify(body)).to.equal(200);
  const { factors: told, ...match } = body.match;
  const none = { matched: false, method: 'none', confidence: 0, score: null, guaranteed: false, clicked_at: null };
  expect(match, JSON.stringify(told)).to.deep.equal(none);
  expect(body.link).to.equal(null);
  expect(told).to.deep.equal(factors.map((name) => ({ name, points: 0 })));
}
