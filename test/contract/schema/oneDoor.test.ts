// stores: any
import { expect } from 'chai';
import { endOfChecks, errorOfDryRun } from '../../../src/kernel/dryRun.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Api } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const PAST = '2020-01-01T00:00:00Z';
const UNKNOWN_DOMAIN = 'not-of-this-project.example.com';

/** By mutation: a body with a field that breaks its rule, one that the service refuses, and the fields that are named. */
const HALF_BAD: Record<string, [method: string, path: string, body: object, fields: string[]]> = {
  createLink: ['POST', '/links', { slug: '?', domain: UNKNOWN_DOMAIN }, ['destination', 'slug', 'domain']],
  updateLink: ['PATCH', '/links/{link}', { title: 5, domain: UNKNOWN_DOMAIN }, ['title', 'domain']],
  createKey: ['POST', '/keys', { name: '', expires_at: PAST }, ['name', 'expires_at']],
  updateProject: [
    'PATCH',
    '/projects/{project}',
    { name: '', default_domain: UNKNOWN_DOMAIN },
    ['name', 'default_domain'],
  ],
  createDomain: ['POST', '/domains', { hostname: 'localhost', kind: 'none' }, ['hostname', 'kind']],
  createWebhook: ['POST', '/webhooks', { url: 'http://user@localhost/', event_types: ['x'] }, ['url', 'event_types.0']],
};

describe('what a mutation refuses', () => {
  const world = useWorld();
  let mine: Tenant;
  let api: Api;
  let linkId: string;

  before(async () => {
    mine = await makeTenant(world);
    api = mine.api;
    linkId = (await api('POST', '/links', { destination: 'https://www.example.com/' })).body.id;
  });

  for (const [mutation, [method, path, body, fields]] of Object.entries(HALF_BAD)) {
    it(`lists the bad fields of ${mutation} that rules find, and those that only its service finds`, async () => {
      const at = path.replace('{link}', linkId).replace('{project}', mine.projectId);
      expectInvalid(await api(method, at, body), ...fields);
    });
  }

  it('is the same over GraphQL', async () => {
    const { projectId } = await firstTenant(world);
    const cookie = await ownerSession(world);
    const document = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';
    const input = {
      projectId,
      destination: 'https://x.example.com/',
      slug: '?',
      domain: UNKNOWN_DOMAIN,
    };
    const { errors } = await graphql(world.origin, document, { input }, cookie);
    expect(errors?.[0]?.extensions.code).to.equal('validation_failed');
    const fields = errors?.[0]?.extensions.fields as { path: string }[];
    expect(fields.map(({ path }) => path)).to.have.members(['input.slug', 'domain']);
  });

  it('names the bad fields of a change to a link of somebody else, and says nothing of the link', async () => {
    const theirs = await makeTenant(world);
    const body = { title: 5, domain: UNKNOWN_DOMAIN };
    expectInvalid(await theirs.api('PATCH', `/links/${linkId}`, body), 'title');
  });

  it('leaves nothing behind', async () => {
    const before = await Link.count();
    for (const slug of ['well-formed', 'also-well-formed']) {
      expectInvalid(await api('POST', '/links', { destination: 'https://www.example.com/', slug, title: 5 }), 'title');
    }
    expect(await Link.count()).to.equal(before);
  });
});

describe('a dry run', () => {
  it('ends where the work would act, and gives what the work was refused with before', async () => {
    const refusal = new Error('refused');
    let acted = false;
    const act = async () => {
      await Promise.resolve();
      endOfChecks();
      acted = true;
    };
    expect(await errorOfDryRun(act)).to.equal(null);
    expect(await errorOfDryRun(() => Promise.reject(refusal))).to.equal(refusal);
    expect(acted).to.equal(false);
    await act();
    expect(acted).to.equal(true);
  });
});
