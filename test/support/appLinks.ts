import { expect } from 'chai';
import { query } from '../../src/db/query.ts';
import { config } from '../../src/kernel/config.ts';
import { AGENTS } from './agents.ts';
import { createLink, type MadeLink } from './createLink.ts';
import { type RawReply, rawRequest } from './rawRequest.ts';
import { firstTenant, makeTenant, type Tenant } from './tenants.ts';
import { joinWorld, type World } from './world.ts';

export const GO = 'go.example.com';
export const WEB = 'https://www.example.com/shoes?a=1&b=2';
export const OTHER = 'https://other.example.com/get';
export const APPLE = 'https://apps.apple.com/app/id123456789';
/** A token comes behind it. */
export const PLAY = 'https://play.google.com/store/apps/details?id=com.example.app&referrer=svc_click%3D';

export const IPHONE = AGENTS.human;
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
export const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
/** Behind an agent: its browser runs inside that app. */
export const INSTAGRAM = ' Instagram 334.0.4.32.98';

const IOS_APP = {
  platform: 'ios',
  bundle_id: 'com.example.app',
  team_id: 'ABCDE12345',
  app_store_id: '123456789',
  scheme: 'myapp',
};
const ANDROID_APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };

interface AppTenants {
  /** With an app on each platform, in its store and with a scheme. */
  mine: Tenant;
  /** Without apps. */
  bare: Tenant;
  /** Apps without a scheme, that of iOS without a store. */
  plain: Tenant;
}

/** For the tests of a describe: a world with links that open apps, and visitors who follow them. */
export function useAppLinks() {
  let world: World;
  let tenants: AppTenants;

  before(async () => {
    world = await joinWorld({ LINK_DOMAIN: GO });
    tenants = { mine: await firstTenant(world), bare: await makeTenant(world), plain: await makeTenant(world) };
    await setApps(tenants.mine, [IOS_APP, ANDROID_APP]);
    await setApps(tenants.plain, [
      { ...IOS_APP, app_store_id: null, scheme: null },
      { ...ANDROID_APP, scheme: null },
    ]);
  });
  after(() => world.stop());

  return {
    world: () => world,
    tenants: () => tenants,
    /** Makes a link that leads into the app, of `mine` but for what is said otherwise. */
    make(fallback: string | null, more: object = {}, { api }: Tenant = tenants.mine): Promise<MadeLink> {
      const app = { deep_link_path: '/p/42', fallback };
      return createLink(api, { destination: WEB, routing: { open_app: true, ios: app, android: app }, ...more });
    },
    follow: ({ slug }: Pick<MadeLink, 'slug'>, agent: string, query = '', headers: Record<string, string> = {}) =>
      rawRequest(world.origin, `/${slug}${query}`, { host: GO, headers: { 'User-Agent': agent, ...headers } }),
    /** Asks for the page that a redirect led to. */
    openPage(location: string | undefined, agent = IPHONE, method = 'GET'): Promise<RawReply> {
      expect(location?.startsWith(`${config.baseUrl}/_open?t=`), location).to.equal(true);
      const path = String(location).slice(config.baseUrl.length);
      return rawRequest(world.origin, path, { method, headers: { 'User-Agent': agent } });
    },
  };
}

async function setApps(tenant: Tenant, apps: object[]): Promise<void> {
  const { status, body } = await tenant.api('PATCH', `/projects/${tenant.projectId}`, { apps });
  expect(status, JSON.stringify(body)).to.equal(200);
}

/** Where the visitor is sent. */
export function locationOf({ status, headers }: RawReply): string {
  expect([status, headers['cache-control']]).to.deep.equal([302, 'private, no-store']);
  return headers.location as string;
}

export function tokenIn(text: string): string {
  return /1(?:\.[0-9a-z]{26}){3}\.[0-9a-z]+\.[A-Za-z0-9_-]{22}/.exec(text)?.[0] ?? 'none';
}

/** The text with TOKEN for its token, which is another one each time. */
export function masked(text: string): string {
  return text.replaceAll(tokenIn(text), 'TOKEN');
}

/** What opens the app on Android; masked. */
export function intent(data: string, scheme: string, fallback: string): string {
  const url = encodeURIComponent(fallback);
  return `intent://${data}?svc_click=TOKEN#Intent;scheme=${scheme};package=com.example.app;S.browser_fallback_url=${url};end`;
}

/** Ids of the link's clicks in the store. */
export async function clicksOf({ id }: Pick<MadeLink, 'id'>): Promise<string[]> {
  return (await query<{ id: string }>('SELECT id FROM clicks WHERE link_id = :id', { id })).map((row) => row.id);
}
