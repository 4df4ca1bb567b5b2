// stores: each
import { expect } from 'chai';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { firstTenant, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DOMAIN = 'facets.example.com';

const VARIABLES = `$projectId: ID!, $search: String, $tag: String, $tags: [String!], $tagMode: TagMode, $isUntagged: Boolean,
  $status: LinkStatus, $domain: String, $createdAfter: DateTimeISO`;
const FILTERS = `projectId: $projectId, search: $search, tag: $tag, tags: $tags, tagMode: $tagMode, isUntagged: $isUntagged,
  status: $status, domain: $domain, createdAfter: $createdAfter`;
const GROUPS = '{ key count }';
const FACETS = `query (${VARIABLES}) {
  linkFacets(${FILTERS}) { count statuses ${GROUPS} tags ${GROUPS} domains ${GROUPS} }
}`;
const COUNT = `query (${VARIABLES}, $groupBy: LinkGrouping) { linkCount(${FILTERS}, groupBy: $groupBy) { count data ${GROUPS} } }`;

describe('Query.linkFacets', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;

  before(async () => {
    const { teamId } = await firstTenant(world);
    mine = await makeTenant(world, teamId);
    viewer = await memberSession(world, teamId, 'viewer');
    await addLinkDomain(mine.projectId, DOMAIN);
    const create = (api: Tenant['api'], body: object) =>
      createLink(api, { destination: 'https://www.example.com/', ...body });
    await create((await makeTenant(world, teamId)).api, { tags: ['red'], title: 'sale' });
    await create(mine.api, { title: 'sale', tags: ['red'] });
    await create(mine.api, { title: 'sale', tags: ['red', 'blue'], domain: DOMAIN });
    await create(mine.api, { title: 'sale', tags: ['blue'], starts_at: '2090-01-01T00:00:00Z' });
    await create(mine.api, { title: 'sale', domain: DOMAIN, expires_at: '2020-01-01T00:00:00Z' });
    await create(mine.api, { tags: ['red'], expires_at: '2020-01-01T00:00:00Z' });
    const { id } = await create(mine.api, { tags: ['green'], domain: DOMAIN });
    await mine.api('POST', `/links/${id}/archive`);
    await create(mine.api, {});
  });

  const ask = (query: string, variables: object) =>
    graphql(world.origin, query, { projectId: mine.projectId, ...variables }, viewer);

  const facets = async (filter: object) => {
    const { data, errors } = await ask(FACETS, filter);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return data.linkFacets;
  };

  it('counts all links by status, tag and domain', async () => {
    const { count, statuses, tags, domains } = await facets({});
    expect(count).to.equal(7);
    expect(statuses).to.deep.equal([
      { key: 'active', count: 3 },
      { key: 'expired', count: 2 },
      { key: 'archived', count: 1 },
      { key: 'scheduled', count: 1 },
    ]);
    expect(tags).to.deep.equal([
      { key: 'red', count: 3 },
      { key: null, count: 2 },
      { key: 'blue', count: 2 },
      { key: 'green', count: 1 },
    ]);
    expect(domains.map(({ count: links }: { count: number }) => links)).to.deep.equal([4, 3]);
  });

  it('counts each list as if nothing were chosen in it, under all other filters', async () => {
    const parts = [
      [{}, { status: 'expired' }, { status: 'flagged' }],
      [
        {},
        { tag: 'RED' },
        { tags: ['red', 'blue'], tagMode: 'all' },
        { tags: ['red', 'none'] },
        { isUntagged: true },
        { tag: 'none' },
      ],
      [{}, { domain: DOMAIN.toUpperCase() }, { domain: 'elsewhere.example.com' }],
      [{}, { search: 'sale', createdAfter: '2020-01-01T00:00:00Z' }],
    ];
    const counted = new Map<string, Promise<{ data: { linkCount: { count: number; data: object[] } } }>>();
    const count = async (variables: object) => {
      const name = JSON.stringify(variables);
      const answer = counted.get(name) ?? ask(COUNT, variables);
      counted.set(name, answer);
      return (await answer).data.linkCount;
    };
    const [statuses = [], tags = [], domains = [], others = []] = parts;
    for (const status of statuses)
      for (const tag of tags)
        for (const domain of domains)
          for (const other of others) {
            const filter = { ...status, ...tag, ...domain, ...other };
            const found = await facets(filter);
            const name = JSON.stringify(filter);
            expect(found.count, name).to.equal((await count(filter)).count);
            const under = async (chosen: object, groupBy: string) =>
              (await count({ ...chosen, ...other, groupBy })).data;
            expect(found.statuses, name).to.deep.equal(await under({ ...tag, ...domain }, 'status'));
            expect(found.tags, name).to.deep.equal(await under({ ...status, ...domain }, 'tag'));
            expect(found.domains, name).to.deep.equal(await under({ ...status, ...tag }, 'domain'));
          }
  });

  it('is refused for projects of others', async () => {
    const other = await makeTenant(world);
    const { errors } = await ask(FACETS, { projectId: other.projectId });
    expect(errors?.[0]?.extensions.code).to.equal('not_found');
  });
});
