// stores: any
import { expect } from 'chai';
import { database } from '../../../src/db/connection/database.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { startAskServer } from '../../../src/domains/askServer.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { freePort } from '../../support/child.ts';
import { makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('for which hosts Caddy gets certificates', () => {
  let store: OpenStore;
  let server: { stop(): Promise<void> };
  let origin: string;

  before(async () => {
    store = await openStore({
      BASE_URL: 'https://app.svc.net',
      SDK_URL: 'https://sdk.svc.net',
      LINK_DOMAIN: 'links.svc.net',
    });
    const { id: projectId } = await makeProject();
    const add = (hostname: string, more: Partial<Domain>) =>
      inTransaction((transaction) =>
        Domain.create({ id: newId('dom'), projectId, hostname, kind: 'link', ...more }, { transaction }),
      );
    await add('verified.customer.com', { status: 'verified', verifiedAt: new Date() });
    await add('failing.customer.com', { status: 'failing', verifiedAt: new Date() });
    await add('pending.customer.com', { status: 'pending' });
    await add('pages.customer.com', { status: 'verified', verifiedAt: new Date(), kind: 'web' });
    const askPort = await freePort();
    server = await startAskServer({ askPort, askHost: '127.0.0.1' });
    origin = `http://127.0.0.1:${askPort}`;
  });
  after(async () => {
    await server.stop();
    await store.close();
  });

  const ask = async (query: string, method = 'GET') => (await fetch(`${origin}${query}`, { method })).status;

  const TABLE: [query: string, status: number][] = [
    ['/ask?domain=verified.customer.com', 200],
    ['/ask?domain=VERIFIED.customer.com.', 200],
    ['/ask?domain=failing.customer.com', 200],
    ['/ask?domain=pending.customer.com', 404],
    ['/ask?domain=pages.customer.com', 404],
    ['/ask?domain=unheard.of.com', 404],
    ['/ask?domain=app.svc.net', 200],
    ['/ask?domain=sdk.svc.net', 200],
    ['/ask?domain=links.svc.net', 200],
    ['/ask', 400],
    ['/ask?domain=', 400],
    ['/ask?domain=a.com&domain=b.com', 400],
    ['/ask?domain=verified.customer.com:443', 400],
    ['/ask?domain=https://verified.customer.com', 400],
    [`/ask?domain=${'a'.repeat(300)}`, 400],
    ['/other?domain=verified.customer.com', 404],
    ['/', 404],
  ];
  for (const [query, status] of TABLE) {
    it(`${status} for ${query.slice(0, 60)}`, async () => {
      expect(await ask(query)).to.equal(status);
    });
  }

  it('is asked by GET alone', async () => {
    expect(await ask('/ask?domain=verified.customer.com', 'POST')).to.equal(405);
  });

  it('while the store is down remembers who was served, and says 503 for others', async () => {
    expect(await ask('/ask?domain=verified.customer.com')).to.equal(200);
    await store.goAway();
    expect(() => database()).to.throw();
    expect(await ask('/ask?domain=verified.customer.com')).to.equal(200);
    expect(await ask('/ask?domain=links.svc.net')).to.equal(200);
    expect(await ask('/ask?domain=not.yet.asked.com')).to.equal(503);
    await store.comeBack();
    expect(await ask('/ask?domain=not.yet.asked.com')).to.equal(404);
  });
});
