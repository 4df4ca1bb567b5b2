import { expect } from 'chai';
import type { Api, Reply } from './api.ts';
import { NameServer } from './nameServer.ts';
import { startWorld, type World } from './world.ts';

/** Where links are on these worlds, and what DNS says of it. */
export const TARGET = 'links.svc-host.net';
export const ADDRESSES = ['198.18.0.7', '198.18.0.8'];

// biome-ignore lint/suspicious/noExplicitAny: tests look into every field
export type ShownDomain = any;

/** For the tests of a describe: a world that asks a name server of its own. */
export function useDomains(settings: Record<string, string> = {}) {
  let world: World;
  let names: NameServer;
  let made = 0;

  before(async () => {
    names = await NameServer.start();
    names.zones[TARGET] = { A: ADDRESSES };
    const dns = { DNS_SERVERS: names.servers.join(','), LINK_DOMAIN: TARGET };
    world = await startWorld({ ...dns, DOMAIN_FAIL_AFTER: '2', SCANNER_BURST_LINKS: '0', ...settings });
  });
  after(async () => {
    await world.stop();
    await names.close();
  });

  return {
    world: () => world,
    names: () => names,
    /** A name that nobody has used. */
    hostname: () => `go${++made}.customer${made}.com`,
  };
}

/** Adds a domain; fails with the answer when it is refused. */
export async function addDomain(api: Api, hostname: string, more: object = {}): Promise<ShownDomain> {
  const reply = await api('POST', '/domains', { hostname, ...more });
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
  return reply.body;
}

/** Asks for a look; gives the domain as it is then. */
export async function verify(api: Api, { id }: ShownDomain): Promise<ShownDomain> {
  const reply: Reply = await api('POST', `/domains/${id}/verify`);
  expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
  return reply.body;
}

/** Adds a domain that is verified at once, by its CNAME. */
export async function addVerified(api: Api, names: NameServer, hostname: string, more: object = {}) {
  names.zones[hostname] = { CNAME: TARGET };
  const domain = await verify(api, await addDomain(api, hostname, more));
  expect(domain.status, domain.problem).to.equal('verified');
  return domain;
}

/** Sets the TXT record that proves the domain. */
export function proveByTxt(names: NameServer, { verification }: ShownDomain): void {
  const record = verification.find(({ type }: { type: string }) => type === 'TXT');
  names.zones[record.name] = { TXT: [record.value] };
}
