// stores: any
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick } from '../../support/clicks.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const QUERY = `query ($projectId: ID!, $linkIds: [ID!]!, $timezone: String) {
  linkSeries(projectId: $projectId, linkIds: $linkIds, interval: "24h", timezone: $timezone) {
    granularity starts data { linkId total counts } } }`;

describe('linkSeries', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;
  const [one, other] = [newId('lnk'), newId('lnk')];

  before(async () => {
    mine = await firstTenant(world);
    viewer = await memberSession(world, mine.teamId, 'viewer');
    const { projectId } = mine;
    const occurredAt = Date.now() - 90 * 60_000;
    const clicks = [
      makeClick({ projectId, occurredAt, linkId: one }),
      makeClick({ projectId, occurredAt, linkId: one }),
      makeClick({ projectId, occurredAt, linkId: one, trafficClass: 'bot' }),
      makeClick({ projectId: (await makeTenant(world)).projectId, occurredAt, linkId: other }),
    ];
    await storeClicks(clicks, { listening: () => false });
  });

  const ask = (variables: object, cookie = viewer) =>
    graphql(world.origin, QUERY, { projectId: mine.projectId, linkIds: [one, other], ...variables }, cookie);

  it('has the clicks of people on each link, in buckets that are named once', async () => {
    const { data } = await ask({});
    const { starts, granularity, data: rows } = data.linkSeries;
    expect(granularity).to.equal('hour');
    expect(rows[0]).to.deep.include({ linkId: one, total: 2 });
    expect(rows[0].counts.filter((count: number) => count > 0)).to.deep.equal([2]);
    expect(rows[0].counts.length).to.equal(starts.length).and.to.be.within(24, 25);
    expect(rows[1]).to.deep.include({ linkId: other, total: 0 });
  });

  it('refuses nothing, more than a hundred, the same link twice, and zones that are none', async () => {
    const many = Array.from({ length: 101 }, () => newId('lnk'));
    for (const wrong of [{ linkIds: [] }, { linkIds: many }, { linkIds: [one, one] }, { timezone: 'Mars/Base' }]) {
      expect((await ask(wrong)).errors?.[0]?.extensions.code).to.equal('validation_failed');
    }
  });

  it('shows nothing to other teams', async () => {
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    expect((await ask({}, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
  });
});
