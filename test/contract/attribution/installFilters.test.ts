// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertRows } from '../../../src/db/rows.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Install } from '../../../src/models/Install.ts';
import { plainRow, storeRows } from '../../support/appRows.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const FILTERS = `$projectId: ID!, $linkId: ID, $search: String, $platform: AppPlatform, $method: MatchMethod,
  $isMatched: Boolean, $createdAfter: DateTimeISO, $createdBefore: DateTimeISO`;
const GIVEN = FILTERS.replace(/\$(\w+): \w+!?/g, '$1: $$$1');
const LIST = `query (${FILTERS}, $limit: Int, $cursor: String) {
  installs(${GIVEN}, limit: $limit, cursor: $cursor) { data { id installId } nextCursor } }`;
const COUNT = `query (${FILTERS}, $groupBy: InstallGrouping) { installCount(${GIVEN}, groupBy: $groupBy) { key count } }`;
const PLATFORMS = ['ios', 'android', 'web'] as const;
const METHODS = ['link', 'referrer', 'clipboard', 'probabilistic', 'none'] as const;

interface Made {
  id: string;
  installId: string;
  platform: string;
  method: string;
  linkId: string | null;
  createdAt: Date;
}

describe('installs, filtered and counted in GraphQL', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;
  let stranger: string;
  let made: Made[];
  const link = newId('lnk');

  before(async () => {
    mine = await firstTenant(world);
    viewer = await memberSession(world, mine.teamId, 'viewer');
    const others = await makeTenant(world);
    stranger = await memberSession(world, others.teamId, 'owner');
    const start = clock.now() - 1_000_000;
    // Each platform and method twice, two of the same moment; every other one of the link.
    made = Array.from({ length: 30 }, (_, at) => ({
      ...{ id: newId('ins'), installId: randomUUID(), platform: PLATFORMS[at % 3] as string },
      ...{ method: METHODS[at % 5] as string, linkId: at % 2 ? link : null },
      createdAt: new Date(start + Math.floor(at / 2) * 1000),
    }));
    const rows = made.map((install) => rowOf(mine, install));
    const foreign = rowOf(others, { ...(made[0] as Made), id: newId('ins') });
    await inTransaction((transaction) => insertRows(Install, [...rows, foreign], { transaction }));
  });

  const rowOf = ({ projectId }: Tenant, install: Made) => {
    const { createdAt } = install;
    return { projectId, factors: [], firstOpenedAt: createdAt, updatedAt: createdAt, ...install };
  };
  const ask = (query: string, variables: object = {}, cookie = viewer) =>
    graphql(world.origin, query, { projectId: mine.projectId, ...variables }, cookie);
  const codeOf = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.[0]?.extensions.code;
  const list = async (variables: object = {}): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const { data } = await ask(LIST, { limit: 4, cursor, ...variables });
      found.push(...data.installs.data.map(({ id }: Made) => id));
      cursor = data.installs.nextCursor;
      if (cursor === null) return found;
    }
  };
  const count = async (variables: object = {}): Promise<[string | null, number][]> => {
    const { data } = await ask(COUNT, variables);
    return data.installCount.map(({ key, count }: never) => [key, count]);
  };
  const newestFirst = (one: Made, other: Made) =>
    other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

  it('every filter, alone and with others, page by page and as a count', async () => {
    const middle = made[14]?.createdAt as Date;
    const table: [object, (install: Made) => boolean][] = [
      [{}, () => true],
      [{ platform: 'ios' }, ({ platform }) => platform === 'ios'],
      [{ method: 'clipboard' }, ({ method }) => method === 'clipboard'],
      [{ isMatched: true }, ({ method }) => method !== 'none'],
      [{ isMatched: false }, ({ method }) => method === 'none'],
      [{ isMatched: false, method: 'link' }, () => false],
      [{ isMatched: true, method: 'link' }, ({ method }) => method === 'link'],
      [{ platform: 'web', method: 'none' }, ({ platform, method }) => platform === 'web' && method === 'none'],
      [{ linkId: link, isMatched: true }, ({ linkId, method }) => linkId === link && method !== 'none'],
      [
        { createdAfter: middle, platform: 'android' },
        ({ createdAt, platform }) => createdAt >= middle && platform === 'android',
      ],
      [{ createdBefore: middle, isMatched: true }, ({ createdAt, method }) => createdAt < middle && method !== 'none'],
      [{ search: '0', platform: 'ios' }, ({ installId, platform }) => installId.startsWith('0') && platform === 'ios'],
    ];
    for (const [filter, matches] of table) {
      const expected = made.filter(matches).sort(newestFirst);
      expect(await list(filter), JSON.stringify(filter)).to.deep.equal(expected.map(({ id }) => id));
      expect(await count(filter), JSON.stringify(filter)).to.deep.equal([[null, expected.length]]);
    }
  });

  it('search finds the whole UUID, its beginning with or without hyphens, and our id', async () => {
    const { id, installId } = made[7] as Made;
    const searches = [installId, installId.toUpperCase(), ` ${installId} `, installId.slice(0, 18), id];
    for (const search of [...searches, installId.replaceAll('-', '').slice(0, 14)])
      expect(await list({ search }), search).to.deep.equal([id]);
    for (const search of [installId.slice(1), 'pixel', '%', newId('ins'), newId('lnk'), `${installId}0`, ' '])
      expect(await list({ search }), search).to.deep.equal([]);
    expect(await list({ search: installId, method: 'none' })).to.deep.equal([]);
  });

  it('counts by method and platform, most first', async () => {
    expect(await count({ groupBy: 'platform' })).to.have.deep.members([
      ['ios', 10],
      ['android', 10],
      ['web', 10],
    ]);
    const byMethod = await count({ groupBy: 'method', createdBefore: made[6]?.createdAt });
    expect(byMethod[0]).to.deep.equal(['link', 2]);
    expect(byMethod).to.have.length(5);
    expect(await count({ groupBy: 'method', search: 'x' })).to.deep.equal([]);
  });

  it('refuses other teams, bad words, and a cursor of another filter; survival mode can read', async () => {
    for (const query of [LIST, COUNT]) {
      expect(codeOf(await ask(query, {}, stranger))).to.equal('not_found');
      expect(codeOf(await ask(query, { search: '' }))).to.equal('validation_failed');
      expect(codeOf(await ask(query, { platform: 'windows' }))).to.equal('BAD_USER_INPUT');
    }
    const { data } = await ask(LIST, { limit: 1, platform: 'ios' });
    const { nextCursor: cursor } = data.installs;
    expect(codeOf(await ask(LIST, { limit: 1, platform: 'web', cursor }))).to.equal('invalid_request');
    const owner = await ownerSession(world);
    const survival = 'mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "test") { id } }';
    expect((await ask(survival, { id: mine.teamId }, owner)).errors).to.equal(undefined);
    expect(await list({ platform: 'web' })).to.have.length(10);
    expect(await count()).to.deep.equal([[null, 30]]);
    await ask('mutation ($id: ID!) { leaveSurvivalMode(teamId: $id) { id } }', { id: mine.teamId }, owner);
  });

  describe('the timeline of an install', () => {
    const TIMELINE = `query ($projectId: ID!, $id: ID!, $limit: Int) { install(projectId: $projectId, id: $id) {
      opens(limit: $limit) { id kind occurredAt match { method } linkId link { id } country }
      events(limit: $limit) { id name occurredAt value currency properties isOutlier } } }`;

    it('has openings and events, newest first and as many as asked', async () => {
      const { installId, id } = made[3] as Made;
      const at = clock.now() - 500_000;
      const row = { visitor: installId, country: 'DE', currency: 'EUR', thousandths: 1500n };
      const kinds = ['install', 'open', 'reinstall'] as const;
      const opens = kinds.map((kind, index) => plainRow(mine.projectId, at + index, { ...row, kind }));
      const events = Array.from({ length: 25 }, (_, index) =>
        plainRow(mine.projectId, at + index, { ...row, name: `event ${index}` }),
      );
      const foreign = plainRow((await makeTenant(world)).projectId, at + 99, { ...row, name: 'foreign' });
      await storeRows([...opens, ...events, foreign]);
      const { data } = await ask(TIMELINE, { id });
      expect(data.install.opens.map(({ kind }: { kind: string }) => kind)).to.deep.equal(kinds.toReversed());
      expect(data.install.opens[0]).to.include({ country: 'DE', linkId: null, link: null });
      expect(data.install.events).to.have.length(20);
      expect(data.install.events[0]).to.include({ name: 'event 24', value: 1.5, currency: 'EUR', isOutlier: false });
      const few = (await ask(TIMELINE, { id, limit: 2 })).data.install;
      expect(few.events.map(({ name }: { name: string }) => name)).to.deep.equal(['event 24', 'event 23']);
      expect(few.opens).to.have.length(2);
    });

    it('refuses other limits, and installs of other teams', async () => {
      const { id } = made[3] as Made;
      for (const limit of [0, 101]) expect(codeOf(await ask(TIMELINE, { id, limit }))).to.equal('validation_failed');
      expect(codeOf(await ask(TIMELINE, { id }, stranger))).to.equal('not_found');
    });
  });
});
