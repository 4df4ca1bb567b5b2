// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { orphanInserter } from '../../../src/redirect/orphanStore.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const HOUR_MS = 3_600_000;
const HOSTILE = '<img src=x onerror=alert(1)>';
const UNKNOWN = `query ($projectId: ID!, $interval: String, $start: DateTimeISO, $end: DateTimeISO, $limit: Int) {
  unknownLinks(projectId: $projectId, interval: $interval, start: $start, end: $end, limit: $limit) {
    total data { domain slug count visitors lastAt linkId } } }`;

describe('Unknown links', () => {
  const world = useWorld();
  let mine: Tenant;
  let owner: string;

  const orphan = (slug: string | null, hoursAgo: number, values: object = {}) => ({
    id: newId('orp'),
    projectId: mine.projectId,
    domain: 'go.example.com',
    slug,
    occurredAt: clock.now() - hoursAgo * HOUR_MS,
    trafficClass: 'human',
    country: null,
    region: null,
    city: null,
    platform: null,
    device: null,
    browser: null,
    language: null,
    referrerHost: null,
    visitor: 'visitor-1',
    count: 1,
    ...values,
  });
  const ask = (variables: object = {}, cookie = owner) =>
    graphql(world.origin, UNKNOWN, { projectId: mine.projectId, ...variables }, cookie);

  before(async () => {
    owner = await ownerSession(world);
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    await orphanInserter()([
      orphan('sprng', 5),
      orphan('sprng', 3, { visitor: 'visitor-2' }),
      orphan('sprng', 2, { trafficClass: 'bot', visitor: 'visitor-3' }),
      orphan('sprng', 1, { domain: 'other.example.com' }),
      orphan(HOSTILE, 4),
      orphan('old', 24 * 40),
      orphan(null, 1, { visitor: '', count: 500 }),
    ]);
  });

  it('lists slugs by domain, with tries, people and the last time', async () => {
    const { data, errors } = await ask();
    expect(errors).to.equal(undefined);
    const { total, data: rows } = data.unknownLinks;
    expect(total).to.equal(505);
    expect(
      rows.map(({ domain, slug, count, visitors }: Record<string, unknown>) => [domain, slug, count, visitors]),
    ).to.deep.equal([
      ['go.example.com', 'sprng', 3, 2],
      ['other.example.com', 'sprng', 1, 1],
      ['go.example.com', HOSTILE, 1, 1],
    ]);
    expect(Date.parse(rows[0].lastAt)).to.be.closeTo(clock.now() - 2 * HOUR_MS, HOUR_MS / 2);
    expect(rows[0].linkId).to.equal(null);
  });

  it('takes an interval or a range, and a limit', async () => {
    expect(
      (await ask({ interval: 'all' })).data.unknownLinks.data.map(({ slug }: { slug: string }) => slug),
    ).to.include('old');
    const start = new Date(clock.now() - 90 * 60_000).toISOString();
    expect((await ask({ start })).data.unknownLinks.data).to.have.length(1);
    expect((await ask({ limit: 1 })).data.unknownLinks.data).to.have.length(1);
    for (const wrong of [{ interval: 'soon' }, { interval: '7d', start }, { end: start }, { limit: 0 }])
      expect((await ask(wrong)).errors?.[0]?.extensions.code, JSON.stringify(wrong)).to.equal('validation_failed');
  });

  it('says which link has the slug by now', async () => {
    const created = await mine.api('POST', '/links', { destination: 'https://example.com/', slug: 'taken-by-now' });
    const { id, domain } = created.body;
    await orphanInserter()([orphan('taken-by-now', 1, { domain })]);
    const { data } = await ask();
    const row = data.unknownLinks.data.find(({ slug }: { slug: string }) => slug === 'taken-by-now');
    expect(row.linkId).to.equal(id);
  });

  it('lets viewers read, and nobody of another team', async () => {
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    expect((await ask({}, viewer)).errors).to.equal(undefined);
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    expect((await ask({}, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
  });
});
