// stores: each
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { makeClick } from '../../support/clicks.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const RANGE = 'start: "2026-11-01T00:00:00Z", end: "2026-11-02T00:00:00Z"';
const BREAKDOWNS = `query ($projectId: ID!, $groupBys: [AnalyticsGroup!]!, $country: String) {
  analyticsBreakdowns(projectId: $projectId, groupBys: $groupBys, country: $country, limit: 2, ${RANGE}) {
    groupBy granularity total { count unique } data { key count unique } others { count } } }`;
const ONE = `query ($projectId: ID!, $groupBy: AnalyticsGroup!, $country: String) {
  analytics(projectId: $projectId, groupBy: $groupBy, country: $country, limit: 2, ${RANGE}) {
    groupBy granularity total { count unique } data { key count unique } others { count } } }`;
const COMPARED = `query ($projectId: ID!, $compare: Boolean) {
  analytics(projectId: $projectId, compare: $compare, ${RANGE}) { ...F }
  analyticsBreakdowns(projectId: $projectId, compare: $compare, groupBys: [country, traffic_class], ${RANGE}) { ...F } }
  fragment F on Analytics { total { count } previous { count unique } previousStart previousEnd }`;

describe('Analytics of a page', () => {
  const world = useWorld();
  let mine: Tenant;
  let owner: string;

  before(async () => {
    mine = await firstTenant(world);
    owner = await ownerSession(world);
    const click = (at: string, values: object = {}) =>
      makeClick({ projectId: mine.projectId, occurredAt: Date.parse(at), ...values });
    const clicks = [
      click('2026-10-31T08:00:00Z'),
      click('2026-10-31T23:59:59Z', { trafficClass: 'bot' }),
      click('2026-10-30T23:59:59Z'),
      click('2026-11-01T08:00:00Z'),
      click('2026-11-01T09:00:00Z', { country: 'AT', platform: 'android', visitor: 'other' }),
      click('2026-11-01T10:00:00Z', { country: 'FR', platform: 'android' }),
      click('2026-11-01T11:00:00Z', { country: 'US', trafficClass: 'bot' }),
    ];
    await storeClicks(clicks, { listening: () => false });
  });

  const ask = (query: string, variables: Record<string, unknown>, cookie = owner) =>
    graphql(world.origin, query, { projectId: mine.projectId, ...variables }, cookie);

  it('answers every card as if it were asked by itself', async () => {
    const groupBys = ['country', 'platform', 'traffic_class', 'time', 'none', 'tag', 'link'];
    for (const country of [null, 'DE,AT', '-FR']) {
      const { data, errors } = await ask(BREAKDOWNS, { groupBys, country });
      expect(errors).to.equal(undefined);
      for (const [at, groupBy] of groupBys.entries()) {
        const { data: alone } = await ask(ONE, { groupBy, country });
        expect(data.analyticsBreakdowns[at], `${groupBy} ${country}`).to.deep.equal(alone.analytics);
      }
      expect(data.analyticsBreakdowns[0].total.count).to.equal(country ? 2 : 3);
    }
  });

  it('refuses no groupings, one that is named twice, more than there are, and made-up ones', async () => {
    for (const groupBys of [[], ['country', 'country'], Array.from({ length: 25 }, () => 'country'), ['shoes']]) {
      const { errors, data } = await ask(BREAKDOWNS, { groupBys });
      expect(errors?.[0]?.extensions.code, groupBys.join(' ')).to.be.oneOf(['validation_failed', 'BAD_USER_INPUT']);
      expect(data?.analyticsBreakdowns).to.equal(undefined);
    }
  });

  it('holds the arguments to the same rules', async () => {
    const query = `query ($projectId: ID!) { analyticsBreakdowns(projectId: $projectId, groupBys: [country], limit: 101,
      timezone: "Mars/Base", interval: "soon", country: "") { groupBy } }`;
    const { errors } = await ask(query, {});
    const fields = errors?.[0]?.extensions.fields as { path: string }[];
    expect(fields.map(({ path }) => path)).to.have.members(['limit', 'timezone', 'interval', 'country']);
  });

  it('lets viewers read, and nobody of another team', async () => {
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    expect((await ask(BREAKDOWNS, { groupBys: ['country'] }, viewer)).data.analyticsBreakdowns[0].total.count).to.equal(
      3,
    );
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    expect((await ask(BREAKDOWNS, { groupBys: ['country'] }, stranger)).errors?.[0]?.extensions.code).to.equal(
      'not_found',
    );
  });

  it('compares with the period before if that is asked for', async () => {
    const { data } = await ask(COMPARED, { compare: true });
    const period = { previousStart: '2026-10-31T00:00:00.000Z', previousEnd: '2026-11-01T00:00:00.000Z' };
    const people = { total: { count: 3 }, previous: { count: 1, unique: 1 }, ...period };
    expect(data.analytics).to.deep.equal(people);
    const everybody = { total: { count: 4 }, previous: { count: 2, unique: 1 }, ...period };
    expect(data.analyticsBreakdowns).to.deep.equal([people, everybody]);
    const { data: bare } = await ask(COMPARED, {});
    const nothing = { previous: null, previousStart: null, previousEnd: null };
    expect(bare.analytics).to.deep.equal({ total: { count: 3 }, ...nothing });
  });

  it('gives the buckets of the period before beside those of the range, also without clicks', async () => {
    const query = `query ($projectId: ID!, $compare: Boolean) { analytics(projectId: $projectId, compare: $compare, groupBy: time,
      granularity: hour, timezone: "Asia/Kolkata", ${RANGE}) { total { count } previous { count } data { key count }
      previousData { key count } } }`;
    const { data } = await ask(query, { compare: true });
    const { data: rows, previousData, previous } = data.analytics;
    expect(previousData).to.have.length(rows.length);
    expect(previousData[0].key).to.equal('2026-10-30T23:30:00.000Z');
    expect(previousData.filter(({ count }: { count: number }) => count > 0)).to.deep.equal([
      { key: '2026-10-31T07:30:00.000Z', count: 1 },
    ]);
    expect(previous.count).to.equal(1);
    expect((await ask(query, {})).data.analytics.previousData).to.equal(null);
    const breakdowns = await ask(
      `query ($projectId: ID!) { analyticsBreakdowns(projectId: $projectId, groupBys: [time, country], compare: true, ${RANGE}) {
        previousData { count } } }`,
      {},
    );
    const [time, country] = breakdowns.data.analyticsBreakdowns;
    expect([time.previousData.length, country.previousData]).to.deep.equal([24, null]);
  });

  it('compares with nothing where the period before would begin before 1970', async () => {
    const query = `query ($projectId: ID!) { analytics(projectId: $projectId, compare: true, start: "0001-01-01T00:00:00Z",
      end: "9999-01-01T00:00:00Z") { total { count } previous { count } previousStart } }`;
    const { data } = await ask(query, {});
    expect(data.analytics).to.deep.equal({ total: { count: 5 }, previous: null, previousStart: null });
  });

  it('leaves REST as it is', async () => {
    const { status, body } = await mine.api('GET', '/analytics?compare=true');
    expect([status, body.error?.code]).to.deep.equal([422, 'validation_failed']);
  });
});
