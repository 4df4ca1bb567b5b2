// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const ROUTING = {
  rules: [
    {
      name: 'german phones',
      when: { platform: ['ios', 'android'], country: ['DE', 'AT'], language: ['de'], not: { referrer_host: ['t.co'] } },
      destination: 'https://de.example.com/',
    },
    { when: { query: [{ name: 'v', value: '2' }] }, destination: 'https://v2.example.com/' },
    { name: 'small', when: { device: ['mobile'] }, destination: 'https://m.example.com/' },
    { name: 'late', when: { after: '2030-01-01T00:00:00.000Z' }, destination: 'https://late.example.com/' },
  ],
};

const GERMAN = { platform: 'ios', country: 'DE', language: 'de-AT' };

describe('GET /links/{id}/trace', () => {
  const world = useWorld();
  let mine: Tenant;
  let id: string;

  before(async () => {
    mine = await firstTenant(world);
    const body = { destination: 'https://www.example.com/', external_id: 'traced', routing: ROUTING };
    id = (await mine.api('POST', '/links', body)).body.id;
  });

  const ask = (query: Record<string, string> = {}, link = id) =>
    mine.api('GET', `/links/${link}/trace?${new URLSearchParams(query)}`);

  const trace = async (query: Record<string, string> = {}, link = id) => {
    const { status, body } = await ask(query, link);
    expect(status, JSON.stringify(body)).to.equal(200);
    const matched = body.steps.filter((step: { matched: boolean }) => step.matched);
    return { ...body, matched: matched.map(({ rule }: { rule: string }) => rule) };
  };

  const create = async (body: object) =>
    (await mine.api('POST', '/links', { destination: 'https://www.example.com/', ...body })).body.id;

  it('tells of every step why it matched or not', async () => {
    const { steps, outcome } = (await ask({ ...GERMAN, country: 'FR' })).body;
    expect(outcome).to.deep.equal({ kind: 'redirect', destination: 'https://m.example.com/' });
    const rules = ['german phones', 'rule 2', 'small', 'late'];
    const order = ['flagged', 'archived', 'scheduled', 'expired', ...rules, 'destination'];
    expect(steps.map(({ rule }: { rule: string }) => rule)).to.deep.equal(order);
    expect(steps.slice(4)).to.deep.equal([
      { rule: 'german phones', matched: false, why: 'country is FR, wanted DE or AT.' },
      { rule: 'rule 2', matched: false, why: 'query is empty, wanted v=2.' },
      { rule: 'small', matched: true, why: 'All conditions hold.' },
      { rule: 'late', matched: false, why: 'Not checked: "small" decided before.' },
      { rule: 'destination', matched: false, why: 'Not checked: "small" decided before.' },
    ]);
  });

  it('takes each fact about the visitor', async () => {
    const table: [Record<string, string>, string, string][] = [
      [{}, 'destination', 'https://www.example.com/'],
      [GERMAN, 'german phones', 'https://de.example.com/'],
      [{ ...GERMAN, referrer_host: 'T.co' }, 'small', 'https://m.example.com/'],
      [{ ...GERMAN, referrer_host: 'x.test' }, 'german phones', 'https://de.example.com/'],
      [{ query: 'v=2&a=b%26c' }, 'rule 2', 'https://v2.example.com/?v=2&a=b%26c'],
      [{ query: '?v=1' }, 'destination', 'https://www.example.com/?v=1'],
      [{ platform: 'android' }, 'small', 'https://m.example.com/'],
      [{ platform: 'android', device: 'tablet' }, 'destination', 'https://www.example.com/'],
      [{ at: '2030-01-01T00:00:00.000Z' }, 'late', 'https://late.example.com/'],
      [{ at: '2029-12-31T23:59:59.999Z' }, 'destination', 'https://www.example.com/'],
    ];
    for (const [query, rule, destination] of table) {
      const found = await trace(query);
      expect(found.matched, JSON.stringify(query)).to.deep.equal([rule]);
      expect(found.outcome).to.deep.equal({ kind: 'redirect', destination });
    }
  });

  it('tells which side of a split, and that visitors stay on theirs', async () => {
    const split = ['a', 'b'].map((name) => ({ name, destination: `https://${name}.example.com/`, weight: 1 }));
    const link = await create({ routing: { split } });
    const { steps, matched, outcome } = await trace({}, link);
    expect(outcome.destination).to.equal(`https://${matched[0]}.example.com/`);
    const taken = steps.find((step: { rule: string }) => step.rule === matched[0]);
    expect(taken.why).to.include('50%').and.include('stays on one side').and.include('fixed');
    expect((await trace({ country: 'US' }, link)).matched).to.deep.equal(matched);
  });

  it('is not_found, flagged or expired where the router is, by the time that is asked about', async () => {
    const archived = await create({});
    await mine.api('POST', `/links/${archived}/archive`);
    const flagged = await create({});
    await inTransaction((transaction) =>
      Link.update({ flaggedAt: new Date(), flagReason: 'malware' }, { where: { id: flagged }, transaction }),
    );
    const spring = await create({ starts_at: '2030-03-01T00:00:00Z', expires_at: '2030-06-01T00:00:00Z' });
    const over = await create({ expires_at: '2020-01-01T00:00:00Z', expired_destination: 'https://o.example.com/' });
    const table: [string, Record<string, string>, string, string, string | null][] = [
      [archived, {}, 'archived', 'not_found', null],
      [flagged, {}, 'flagged', 'flagged', null],
      [spring, { at: '2030-02-28T23:59:59Z' }, 'scheduled', 'not_found', null],
      [spring, { at: '2030-03-01T00:00:00Z' }, 'destination', 'redirect', 'https://www.example.com/'],
      [spring, { at: '2030-06-01T00:00:00Z' }, 'expired', 'expired', null],
      [over, {}, 'expired', 'expired', 'https://o.example.com/'],
    ];
    for (const [link, query, rule, kind, destination] of table) {
      const found = await trace(query, link);
      expect(found.matched).to.deep.equal([rule]);
      expect(found.outcome).to.deep.equal({ kind, destination });
    }
  });

  it('asks for a password first, and says where it leads', async () => {
    const link = await create({});
    await inTransaction((transaction) => Link.update({ passwordHash: 'x' }, { where: { id: link }, transaction }));
    const { matched, outcome } = await trace({}, link);
    expect(outcome).to.deep.equal({ kind: 'password', destination: 'https://www.example.com/' });
    expect(matched).to.deep.equal(['password', 'destination']);
  });

  it('agrees with the redirect', async () => {
    const link = (await mine.api('GET', `/links/${id}`)).body;
    const path = new URL(link.short_url).pathname;
    const headers = {
      'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
    };
    for (const query of ['v=2', 'v=1', '']) {
      const response = await fetch(`${world.origin}${path}?${query}`, { headers, redirect: 'manual' });
      const { outcome } = await trace({ platform: 'windows', query });
      expect(response.headers.get('location')).to.equal(outcome.destination);
    }
  });

  it('counts nothing', async () => {
    const link = await create({ click_limit: 1 });
    for (const _ of [1, 2, 3]) expect((await trace({}, link)).outcome.kind).to.equal('redirect');
    expect((await mine.api('GET', `/links/${link}`)).body).to.include({ clicks: 0, last_clicked_at: null });
  });

  it('422 that lists every bad parameter', async () => {
    const bad = {
      platform: 'amiga',
      device: 'watch',
      country: 'EU',
      language: 'german',
      at: 'now',
      query: 'x'.repeat(8193),
      referrer_host: '.t.co',
      address: '127.0.0.1',
    };
    expectInvalid(await ask(bad), ...Object.keys(bad));
  });

  it('finds the link by external id, and none of others', async () => {
    expect((await ask(GERMAN, 'ext_traced')).body).to.deep.equal((await ask(GERMAN)).body);
    const { api } = await makeTenant(world, mine.teamId);
    expectError(await api('GET', `/links/${id}/trace`), 404, 'not_found');
  });

  it('is the same by GraphQL', async () => {
    const query = `query ($id: ID!) { traceLink(id: $id, platform: ios, country: "DE", language: "de-AT") {
      steps { rule matched why } outcome { kind destination } } }`;
    const { data } = await graphql(world.origin, query, { id }, await ownerSession(world));
    expect(data.traceLink).to.deep.equal((await ask(GERMAN)).body);
  });
});
