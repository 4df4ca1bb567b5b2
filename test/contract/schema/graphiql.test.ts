// stores: any
import { expect } from 'chai';
import { ownerSession } from '../../support/tenants.ts';
import { startWorld } from '../../support/world.ts';

/** As browsers ask for a page. */
const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL', () => {
  // Where it is on: test/interop/schema/graphiql.interop.ts, which has its packages.
  it('is off unless it is asked for', async () => {
    const world = await startWorld();
    const cookie = await ownerSession(world);
    const page = await fetch(`${world.origin}/graphql`, { headers: { ...HTML, Cookie: cookie } });
    const isHtml = page.headers.get('content-type')?.startsWith('text/html') ?? false;
    expect(page.status === 200 && isHtml).to.equal(false);
    const script = await fetch(`${world.origin}/graphql/graphiql.js`, { headers: { Cookie: cookie } });
    expect(script.status).to.be.within(400, 499);
    await world.stop();
  });
});
