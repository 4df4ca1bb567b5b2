// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

const LINK = { destination: 'https://www.example.com/' };
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describe('Limits of new accounts', () => {
  const world = useOwnWorld({ RATE_LIMIT_PER_MINUTE: '10000' });

  afterEach(() => clock.reset());

  const bulk = async ({ api }: Tenant, count: number) => {
    const { body } = await api('POST', '/links/bulk', { links: Array.from({ length: count }, () => LINK) });
    return body;
  };

  it('a new team makes 100 links an hour, and deleting gives nothing back', async () => {
    const team = await makeTenant(world);
    const { counts, results } = await bulk(team, 105);
    expect(counts, JSON.stringify(results[0])).to.deep.equal({ created: 100, failed: 5 });
    expect(results.at(-1).error.code).to.equal('account_limit_reached');
    const refused = await team.api('POST', '/links', LINK);
    expectError(refused, 403, 'account_limit_reached');
    expect(refused.body.error.message).to.match(/100 links in an hour.*\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z/);
    const ids = results.slice(0, 100).map((row: { link: { id: string } }) => row.link.id);
    await team.api('POST', '/links/bulk/delete', { ids });
    expectError(await team.api('POST', '/links', LINK), 403, 'account_limit_reached');
    clock.use({ now: () => Date.now() + HOUR_MS + MINUTE_MS });
    expect((await team.api('POST', '/links', LINK)).status).to.equal(201);
  });

  it('and 500 a day, until it is seven days old', async () => {
    const team = await makeTenant(world);
    let laterMs = 0;
    clock.use({ now: () => Date.now() + laterMs });
    for (let hour = 0; hour < 5; hour += 1) {
      expect((await bulk(team, 100)).counts).to.deep.equal({ created: 100, failed: 0 });
      laterMs += HOUR_MS + MINUTE_MS;
    }
    const refused = await team.api('POST', '/links', LINK);
    expectError(refused, 403, 'account_limit_reached');
    expect(refused.body.error.message).to.include('500 links in a day');
    laterMs = 7 * 24 * HOUR_MS + MINUTE_MS;
    expect((await bulk(team, 1000)).counts).to.deep.equal({ created: 1000, failed: 0 });
  });

  it('is told before what a scan finds, and that before a conflict', async () => {
    const team = await makeTenant(world);
    const { body: used } = await team.api('POST', '/links', LINK);
    const bad = { destination: 'https://user@169.254.169.254/', slug: used.slug };
    const harmful = { ...bad, destination: 'https://metadata.google.internal/' };
    expectError(await team.api('POST', '/links', harmful), 422, 'destination_refused');
    await bulk(team, 99);
    expectError(await team.api('POST', '/links', harmful), 403, 'account_limit_reached');
    expectError(await team.api('POST', '/links', bad), 422, 'validation_failed');
  });

  it('what is not made is not counted', async () => {
    const team = await makeTenant(world);
    await bulk(team, 98);
    const { body: used } = await team.api('POST', '/links', LINK);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expectError(await team.api('POST', '/links', { ...LINK, slug: used.slug }), 409, 'slug_taken');
      await team.api('POST', '/links/bulk', { links: [{ ...LINK, slug: used.slug }] });
    }
    expect((await team.api('POST', '/links', LINK)).status).to.equal(201);
    expectError(await team.api('POST', '/links', LINK), 403, 'account_limit_reached');
  });

  it('many requests at once never make more', async () => {
    const team = await makeTenant(world);
    const other = await makeTenant(world, team.teamId);
    await bulk(team, 90);
    const requests = Array.from({ length: 20 }, (_, index) => (index % 2 ? team : other).api('POST', '/links', LINK));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).to.have.length(10);
    expect(statuses.filter((status) => status === 403)).to.have.length(10);
    expect(await Link.count({ where: { projectId: [team.projectId, other.projectId] } })).to.equal(100);
  });

  it('changes are not limited, and neither is the team of the first start', async () => {
    const team = await makeTenant(world);
    const { results } = await bulk(team, 100);
    expect((await team.api('PATCH', `/links/${results[0].link.id}`, { title: 'New' })).status).to.equal(200);
    const links = Array.from({ length: 600 }, () => LINK);
    const { body } = await world.api('POST', '/links/bulk', { links });
    expect(body.counts).to.deep.equal({ created: 600, failed: 0 });
  });

  describe('Team.limits', () => {
    const LIMITS = `query ($id: ID) { team(id: $id) {
      limits { linksThisHour { used limit easesAt } linksToday { used limit easesAt } } } }`;
    const limitsOf = async (id: string, cookie: string) => {
      const { data, errors } = await graphql(world.origin, LIMITS, { id }, cookie);
      expect(errors).to.equal(undefined);
      return data.team.limits;
    };

    it('says what a new team has used, and when the limit eases, as the refusal does', async () => {
      const team = await makeTenant(world);
      const viewer = await memberSession(world, team.teamId, 'viewer');
      const fresh = {
        linksThisHour: { used: 0, limit: 100, easesAt: null },
        linksToday: { used: 0, limit: 500, easesAt: null },
      };
      expect(await limitsOf(team.teamId, viewer)).to.deep.equal(fresh);
      await bulk(team, 99);
      expect((await limitsOf(team.teamId, viewer)).linksThisHour).to.include({ used: 99, easesAt: null });
      await bulk(team, 1);
      const { linksThisHour, linksToday } = await limitsOf(team.teamId, viewer);
      expect(linksThisHour.used).to.equal(100);
      expect(linksToday).to.deep.equal({ used: 100, limit: 500, easesAt: null });
      expect((await team.api('POST', '/links', LINK)).body.error.message).to.include(linksThisHour.easesAt);
      clock.use({ now: () => Date.parse(linksThisHour.easesAt) });
      expect((await limitsOf(team.teamId, viewer)).linksThisHour).to.include({ used: 0, easesAt: null });
    });

    it('is null once a team is not new, and for the team of the first start', async () => {
      const team = await makeTenant(world);
      const viewer = await memberSession(world, team.teamId, 'viewer');
      clock.use({ now: () => Date.now() + 7 * 24 * HOUR_MS + MINUTE_MS });
      expect(await limitsOf(team.teamId, viewer)).to.equal(null);
      clock.reset();
      expect(await limitsOf((await firstTenant(world)).teamId, await ownerSession(world))).to.equal(null);
    });
  });
});
