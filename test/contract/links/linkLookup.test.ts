// stores: any
import { expect } from 'chai';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const FIND = `query ($projectId: ID!, $externalId: String) {
  findLink(projectId: $projectId, externalId: $externalId) { id } me { email }
}`;

describe('lookup of links', () => {
  const world = useWorld();
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
  });

  const create = async (body: object) => (await mine.api('POST', '/links', { destination: DESTINATION, ...body })).body;
  const look = (query: Record<string, string>) => mine.api('GET', `/links/lookup?${new URLSearchParams(query)}`);

  it('finds by domain and slug, by external id, and by short URL', async () => {
    const { id, domain, short_url } = await create({ slug: 'look/up~1', external_id: 'look&up' });
    const queries: Record<string, string>[] = [
      { domain, slug: 'look/up~1' },
      { domain: domain.toUpperCase(), slug: 'look/up~1' },
      { external_id: 'look&up' },
      { short_url },
      { short_url: `${short_url}?utm_source=x#part` },
    ];
    for (const query of queries) {
      const reply = await look(query);
      expect(reply.body.id, JSON.stringify(query)).to.equal(id);
    }
  });

  it('404 for what is not there, or belongs to others', async () => {
    const other = await makeTenant(world, mine.teamId);
    const theirs = (await other.api('POST', '/links', { destination: DESTINATION, external_id: 'hidden' })).body;
    const queries: Record<string, string>[] = [
      { domain: theirs.domain, slug: theirs.slug },
      { external_id: 'hidden' },
      { short_url: theirs.short_url },
      { domain: 'elsewhere.example.com', slug: 'x' },
      { domain: theirs.domain, slug: '../x' },
      { short_url: 'https://elsewhere.example.com/%00' },
    ];
    for (const query of queries) {
      expectError(await look(query), 404, 'not_found');
    }
  });

  it('422 when it is not said what to look for', async () => {
    for (const query of ['', '?domain=localhost', '?slug=x', '?slug=', '?external_id=']) {
      expectError(await mine.api('GET', `/links/lookup${query}`), 422, 'validation_failed');
    }
    expectInvalid(
      await mine.api('GET', '/links/lookup?domain=http://x&short_url=y&slug=&z=1'),
      'domain',
      'short_url',
      'slug',
      'z',
    );
  });

  it('gives people null for a link that is not there, instead of an error', async () => {
    const cookie = await ownerSession(world);
    const find = (externalId: string | null, projectId = mine.projectId) =>
      graphql(world.origin, FIND, { projectId, externalId }, cookie);
    const { id } = await create({ external_id: 'found' });
    expect((await find('found')).data).to.deep.equal({ findLink: { id }, me: { email: world.email } });
    expect((await find('missing')).data).to.deep.equal({ findLink: null, me: { email: world.email } });
    expect((await find(null)).errors?.[0]?.extensions.code).to.equal('validation_failed');
    const other = await makeTenant(world);
    await other.api('POST', '/links', { destination: DESTINATION, external_id: 'theirs' });
    expect((await find('theirs')).data.findLink).to.equal(null);
    expect((await find('theirs', other.projectId)).errors?.[0]?.extensions.code).to.equal('not_found');
  });
});
