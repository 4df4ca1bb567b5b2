import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { insertKey } from '../../../src/projects/keyService.ts';
import { createLink } from '../../../test/support/createLink.ts';
import { type Tenant as ApiTenant, firstTenant, makeTenant } from '../../../test/support/tenants.ts';
import { startWorld } from '../../../test/support/world.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import type { Tenant } from './events.ts';
import { START_MS } from './makeFleet.ts';

/** A project whose links the fleet follows and whose app it installs. */
export interface FleetTenant {
  /** Of its app. */
  key: string;
  /** In the order of the fleet's numbers. */
  links: { id: string; slug: string }[];
}

/** A product in this process, whose time is the fleet's. */
export interface FleetProduct {
  origin: string;
  tenants: Record<Tenant, FleetTenant>;
  /** The product's time from now on. */
  setTime(ms: number): void;
  stop(): Promise<void>;
}

export const LINK_HOST = 'go.example.com';

const UNLIMITED = '1000000000';
const NO_LIMITS = {
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_PUBLISHABLE_ADDRESS_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_EVENTS_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_ADDRESS_EVENTS_PER_MINUTE: UNLIMITED,
  SDK_EVENTS_PER_DAY: UNLIMITED,
  SDK_INSTALLS_PER_DAY: UNLIMITED,
  RATE_LIMIT_INSTALL_PER_MINUTE: UNLIMITED,
};
/** An opening moves the clicks before it to the store by itself; nothing else is in a hurry. */
const QUIET = { CLICK_DRAIN_MILLISECONDS: '1000', TRAFFIC_COLLECT_SECONDS: '3600' };

const APPS = [
  {
    ...{ platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' },
    ...{ app_store_id: '123456789', scheme: 'myapp' },
  },
  { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' },
];

/** Starts it on an empty store. `opensApps`: the links lead to the app's store with a token, else to the web. */
export async function startFleetProduct(
  [ownLinks = 1, neighbourLinks = 1]: readonly number[],
  opensApps = false,
): Promise<FleetProduct> {
  let nowMs = START_MS;
  clock.use({ now: () => nowMs });
  const world = await startWorld({ LINK_DOMAIN: LINK_HOST, TRUSTED_PROXIES: '127.0.0.1', ...NO_LIMITS, ...QUIET });
  const own = await firstTenant(world);
  const neighbour = await makeTenant(world);
  const neighbourKey = await inTransaction((transaction) =>
    insertKey({ projectId: neighbour.projectId, name: 'App', kind: 'publishable', createdBy: null }, transaction),
  );
  return {
    origin: world.origin,
    tenants: {
      own: { key: world.publishableKey, links: await makeLinks(own, ownLinks, opensApps) },
      neighbour: { key: neighbourKey.key, links: await makeLinks(neighbour, neighbourLinks, opensApps) },
    },
    setTime(ms) {
      nowMs = ms;
    },
    async stop() {
      await world.stop();
      clock.reset();
    },
  };
}

async function makeLinks({ api, projectId }: ApiTenant, count: number, opensApps: boolean) {
  await api('PATCH', `/projects/${projectId}`, { match_window_seconds: ASSUMPTIONS.windowSeconds });
  if (opensApps) await api('PATCH', `/projects/${projectId}`, { apps: APPS });
  const app = { deep_link_path: '/p/42', fallback: 'store' };
  const routing = opensApps ? { routing: { open_app: true, ios: app, android: app } } : {};
  const links = [];
  for (let at = 0; at < count; at += 1) {
    links.push(await createLink(api, { destination: `https://www.example.com/${at}`, ...routing }));
  }
  return links;
}
