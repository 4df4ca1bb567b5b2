// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { Loopback } from '../../support/loopback.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

describe('health through /graphql', () => {
  const world = useOwnWorld({
    // Its own runs come when the tests are over.
    HEALTH_CHECK_SECONDS: '100000000',
    HEALTH_RUN_PAUSE_SECONDS: '0',
  });
  const loopback = new Loopback();
  let mine: Tenant;
  /** What the destination of the followed link answers. */
  let status: number;
  let site: string;

  before(async () => {
    const port = await loopback.http((_request, response) => response.writeHead(status).end());
    site = `http://127.0.0.1:${port}/shop`;
  });
  after(() => loopback.close());
  beforeEach(async () => {
    status = 200;
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
  });

  const run = async () => (await mine.api('POST', '/health/run')).body;
  const FIELDS = 'status checkedAt checks { name status message since }';
  const SHOW = `query ($projectId: ID!) { health(projectId: $projectId) { ${FIELDS} } }`;
  const RUN = `mutation ($projectId: ID!) { runHealthChecks(projectId: $projectId) { ${FIELDS} } }`;
  const HISTORY = `query ($projectId: ID!, $limit: Int, $cursor: String) {
    healthHistory(projectId: $projectId, limit: $limit, cursor: $cursor) {
      data { id name status message since until } nextCursor } }`;
  const ask = (query: string, cookie: string, more: object = {}) =>
    graphql(world.origin, query, { projectId: mine.projectId, ...more }, cookie);

  it('is run by members and read by viewers', async () => {
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    expect((await ask(RUN, viewer)).errors?.[0]?.extensions.code).to.equal('insufficient_scope');
    const { data } = await ask(RUN, await memberSession(world, mine.teamId, 'member'));
    expect(data.runHealthChecks.status).to.equal('passing');
    expect((await ask(SHOW, viewer)).data.health).to.deep.equal(data.runHealthChecks);
  });

  it('is not found in projects of others', async () => {
    const owner = await ownerSession(world);
    const { projectId } = await makeTenant(world);
    for (const query of [SHOW, RUN, HISTORY]) {
      expect((await ask(query, owner, { projectId })).errors?.[0]?.extensions.code).to.equal('not_found');
    }
  });

  it('has a history, newest first, page by page', async () => {
    status = 500;
    const { id } = await createLink(mine.api, { destination: site });
    const followed = { clicks: 7, lastClickedAt: new Date() };
    await inTransaction((transaction) => Link.update(followed, { where: { id }, transaction }));
    await run();
    await run();
    status = 200;
    const last = await run();
    const owner = await ownerSession(world);
    const entries = [];
    let cursor: string | null = null;
    do {
      const { data } = await ask(HISTORY, owner, { limit: 4, cursor });
      entries.push(...data.healthHistory.data);
      cursor = data.healthHistory.nextCursor;
    } while (cursor);
    expect(new Set(entries.map(({ id }) => id)).size).to.equal(entries.length);
    const since = entries.map((entry) => entry.since);
    expect(since).to.deep.equal([...since].sort().reverse());
    const ofLinks = entries.filter(({ name }) => name === 'destinations');
    expect(ofLinks.map((entry) => entry.status)).to.deep.equal(['pass', 'fail']);
    const [now, before] = ofLinks;
    expect([now.since, now.until, before.until]).to.deep.equal([last.checked_at, null, last.checked_at]);
    const bad = await ask(HISTORY, owner, { cursor: 'nonsense' });
    expect(bad.errors?.[0]?.extensions.code).to.equal('invalid_request');
  });
});
