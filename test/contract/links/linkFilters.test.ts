// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { importCsv } from '../../support/imports.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const ROUTING = { rules: [{ when: { country: ['DE'] }, destination: 'https://de.example.com/' }] };

const VARIABLES = `$projectId: ID!, $search: String, $tag: String, $tags: [String!], $tagMode: TagMode, $isUntagged: Boolean,
  $createdBy: ID, $hasRouting: Boolean, $status: LinkStatus`;
const FILTERS = `projectId: $projectId, search: $search, tag: $tag, tags: $tags, tagMode: $tagMode, isUntagged: $isUntagged,
  createdBy: $createdBy, hasRouting: $hasRouting, status: $status`;
const LIST = `query (${VARIABLES}, $limit: Int, $cursor: String, $sort: LinkSort, $order: SortOrder) {
  links(${FILTERS}, limit: $limit, cursor: $cursor, sort: $sort, order: $order) {
    data { id title createdBy { kind id name } reviewRequestedAt } nextCursor
  }
  linkCount(${FILTERS}) { count }
}`;

describe('filters of links that the dashboard has', () => {
  const world = useWorld();
  let first: Tenant;
  let mine: Tenant;
  let cookie: string;

  before(async () => {
    first = await firstTenant(world);
    cookie = await ownerSession(world);
  });

  beforeEach(async () => {
    mine = await makeTenant(world, first.teamId);
  });

  const create = (body: object) => createLink(mine.api, { destination: DESTINATION, ...body });

  const page = async (variables: object, by = cookie) => {
    const { data, errors } = await graphql(world.origin, LIST, { projectId: mine.projectId, ...variables }, by);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return { ...data.links, count: data.linkCount.count };
  };

  /** The titles of the links in order of the alphabet; the list and the count must agree. */
  const titles = async (variables: object) => {
    const { data, count } = await page(variables);
    expect(count, JSON.stringify(variables)).to.equal(data.length);
    return data
      .map(({ title }: { title: string }) => title)
      .sort()
      .join(' ');
  };

  it('finds links with any or all of several tags, and those without a tag', async () => {
    await create({ title: 'red', tags: ['red'] });
    await create({ title: 'both', tags: ['Red', 'blue'] });
    await create({ title: 'blue', tags: ['blue'] });
    await create({ title: 'none' });
    expect(await titles({ tags: ['red', 'BLUE'] })).to.equal('blue both red');
    expect(await titles({ tags: ['red', 'blue'], tagMode: 'any' })).to.equal('blue both red');
    expect(await titles({ tags: ['red', 'blue'], tagMode: 'all' })).to.equal('both');
    expect(await titles({ tags: ['red', 'red'], tagMode: 'all' })).to.equal('both red');
    expect(await titles({ tags: ['red', 'green'] })).to.equal('both red');
    expect(await titles({ tags: ['red', 'green'], tagMode: 'all' })).to.equal('');
    expect(await titles({ tag: 'blue', tags: ['red'] })).to.equal('both');
    expect(await titles({ tags: [] })).to.equal('blue both none red');
    expect(await titles({ isUntagged: true })).to.equal('none');
    expect(await titles({ isUntagged: false })).to.equal('blue both red');
    expect(await titles({ isUntagged: true, tags: ['red'] })).to.equal('');
  });

  it('finds links with and without routing', async () => {
    await create({ title: 'routed', routing: ROUTING });
    await create({ title: 'plain' });
    await create({ title: 'empty', routing: {} });
    const { id } = await create({ title: 'cleared', routing: ROUTING });
    await mine.api('PATCH', `/links/${id}`, { routing: null });
    expect(await titles({ hasRouting: true })).to.equal('routed');
    expect(await titles({ hasRouting: false })).to.equal('cleared empty plain');
  });

  it('finds what somebody created, alone, in bulk or by an import, and says who it was', async () => {
    const member = await memberSession(world, first.teamId, 'member');
    const { data } = await graphql(world.origin, '{ me { id email } }', {}, member);
    const CREATE = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';
    const input = { projectId: mine.projectId, destination: DESTINATION, title: 'by-hand' };
    await graphql(world.origin, CREATE, { input }, member);
    await create({ title: 'by-key' });
    await mine.api('POST', '/links/bulk', { links: [{ destination: DESTINATION, title: 'in-bulk' }] });
    await importCsv(mine.api, `destination,title\n${DESTINATION},imported\n`);

    const links = (await page({})).data;
    const key = links.find(({ title }: { title: string }) => title === 'by-key').createdBy;
    expect(key).to.deep.include({ kind: 'key', name: 'All' });
    for (const { title, createdBy } of links) {
      const author = title === 'by-hand' ? { kind: 'user', id: data.me.id, name: data.me.email } : key;
      expect(createdBy, title).to.deep.equal(author);
    }
    expect(await titles({ createdBy: data.me.id })).to.equal('by-hand');
    expect(await titles({ createdBy: key.id })).to.equal('by-key imported in-bulk');
    expect(await titles({ createdBy: 'usr_nobody' })).to.equal('');
  });

  it('shows the link whose slug is searched for before all others, once, whatever the order', async () => {
    const made: MadeLink[] = [];
    for (const slug of ['sale', 'sale-2', 'sale-3', 'presale'])
      made.push(await create({ slug: `${slug}`, title: slug }));
    const exact = made[0]?.id;
    const walk = async (variables: object) => {
      const ids: string[] = [];
      for (let cursor: string | null = null, at = 0; at === 0 || cursor; at += 1) {
        const { data, nextCursor } = await page({ search: 'sale', ...variables, cursor });
        ids.push(...data.map(({ id }: { id: string }) => id));
        cursor = nextCursor;
      }
      return ids;
    };
    expect(await walk({})).to.deep.equal([exact, made[3]?.id, made[2]?.id, made[1]?.id]);
    for (const limit of [1, 2, 3, 4, 5]) {
      expect(await walk({ limit }), `limit ${limit}`).to.have.members(made.map(({ id }) => id));
      if (limit > 1) expect((await walk({ limit, sort: 'clicks', order: 'asc' }))[0]).to.equal(exact);
    }
    expect((await page({ search: 'sale', status: 'archived' })).data).to.deep.equal([]);
    expect((await page({ search: 'sale' })).count).to.equal(4);
  });

  it('leaves the order of REST as it is', async () => {
    const first = await create({ slug: 'shop' });
    const second = await create({ slug: 'shop-2' });
    const { body } = await mine.api('GET', '/links?search=shop');
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([second.id, first.id]);
  });

  it('finds the link of a short URL that is pasted, and no link of others', async () => {
    const domain = 'pasted.example.com';
    await addLinkDomain(mine.projectId, domain);
    await create({ title: 'own', domain, slug: 'a/b' });
    await create({ title: 'shared', slug: 'pasted-c' });
    const { short_url } = (await mine.api('GET', '/links?search=pasted-c')).body.data[0];
    for (const search of [
      `https://${domain}/a/b`,
      `${domain}/a/b`,
      `http://${domain.toUpperCase()}/a/b?utm_source=x#y`,
    ]) {
      expect(await titles({ search }), search).to.equal('own');
    }
    expect(await titles({ search: short_url })).to.equal('shared');
    const other = await makeTenant(world, first.teamId);
    const theirs = (await other.api('POST', '/links', { destination: DESTINATION })).body;
    expect(await titles({ search: theirs.short_url })).to.equal('');
    expect(await titles({ search: 'https://www.example.com/' })).to.equal('own shared');
  });

  it('says when a review of a flag was requested', async () => {
    const { id } = await create({});
    expect((await page({})).data[0].reviewRequestedAt).to.equal(null);
    const values = { flaggedAt: new Date(), flaggedBy: 'scan', flagReason: 'bad' };
    await inTransaction((transaction) => Link.update(values, { where: { id }, transaction }));
    await mine.api('POST', `/links/${id}/review`);
    expect((await page({})).data[0].reviewRequestedAt).to.be.a('string');
  });
});
