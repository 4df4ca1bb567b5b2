import { expect } from 'chai';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Domain } from '../../src/models/Domain.ts';
import { AGENTS } from './agents.ts';
import { createLink } from './createLink.ts';
import { type RawAsk, type RawReply, rawRequest } from './rawRequest.ts';
import { firstTenant } from './tenants.ts';
import { startWorld, type World } from './world.ts';

/** The link domain whose settings say where visitors go, and one of a project that says nothing. */
export const GO = 'go.example.com';
export const PLAIN = 'plain.example.com';
export const DESTINATION = 'https://www.example.com/';
export const ROOT = 'https://www.example.com/root';
export const UNKNOWN = 'https://www.example.com/unknown?a=1#%C3%BC';
export const OVER = 'https://www.example.com/over';

/** For the tests of a describe: a world whose base host follows no links, because two other hosts do. */
export function useLinkDomains() {
  let world: World;

  before(async () => {
    world = await startWorld({
      LINK_DOMAIN: GO,
      ROOT_DESTINATION: ROOT,
      NOT_FOUND_DESTINATION: 'https://www.example.com/unknown?a=1#ü',
      EXPIRED_DESTINATION: OVER,
      TRUSTED_PROXIES: '127.0.0.1,::1',
      SCANNER_BURST_LINKS: '0',
    });
    await addLinkDomain((await firstTenant(world)).projectId, PLAIN);
  });
  after(() => world.stop());

  return {
    world: () => world,
    /** A person on an iPhone asks on GO, but for what is said otherwise. */
    ask: (path: string, { headers, ...more }: RawAsk = {}) =>
      rawRequest(world.origin, path, { host: GO, headers: { 'User-Agent': AGENTS.human, ...headers }, ...more }),
    /** Makes a link on GO that leads to DESTINATION, but for what is said otherwise. */
    create: (body: object = {}) => createLink(world.api, { destination: DESTINATION, ...body }),
  };
}

/** Gives the project a verified link domain. */
export async function addLinkDomain(projectId: string, hostname: string): Promise<void> {
  const verified = { kind: 'link', status: 'verified', verifiedAt: new Date() } as const;
  await inTransaction((transaction) =>
    Domain.create({ id: newId('dom'), projectId, hostname, ...verified }, { transaction }),
  );
}

/** That the visitor is sent on, to exactly that place. */
export function expectLocation(reply: RawReply, location: string): void {
  expect([reply.status, reply.headers.location]).to.deep.equal([302, location]);
  expect(reply.headers['cache-control']).to.equal('private, no-store');
}

/** That the visitor sees a page and is sent nowhere. */
export function expectPage(reply: RawReply, status: number): void {
  expect(reply.status).to.equal(status);
  expect(reply.headers.location).to.equal(undefined);
  expect(reply.headers['content-type']).to.match(/^text\/html/);
  expect(reply.headers['cache-control']).to.equal('private, no-store');
  expect(reply.body).to.match(/<!doctype html>/i);
}
