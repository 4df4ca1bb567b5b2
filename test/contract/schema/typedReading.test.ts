// stores: any
import { expect } from 'chai';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

describe('GraphQL types of what REST has as free-form JSON', () => {
  let world: World;
  let mine: Tenant;
  let owner: string;

  before(async () => {
    world = await joinWorld();
    mine = await firstTenant(world);
    owner = await ownerSession(world);
  });
  after(() => world.stop());

  it('routing has rules, conditions and a split', async () => {
    const routing = {
      rules: [
        {
          when: { platform: ['ios'], referrer_host: ['t.co'], after: '2026-01-01T00:00:00Z', not: { country: ['DE'] } },
          destination: 'https://example.com/ios',
        },
      ],
      forward_query: false,
      ios: { deep_link_path: '/p', fallback: 'store' },
    };
    const made = await mine.api('POST', '/links', { destination: 'https://example.com/', routing });
    expect(made.body.routing).to.deep.equal(routing);
    const query = `query ($id: ID!) { link(id: $id) { routingJson routing {
      rules { name destination when { platform referrerHost after not { country device } } }
      split { weight } forwardQuery forwardPath ios { deepLinkPath fallback } } } }`;
    const { data, errors } = await graphql(world.origin, query, { id: made.body.id }, owner);
    expect(errors).to.equal(undefined);
    expect(data.link.routingJson).to.deep.equal(routing);
    expect(data.link.routing).to.deep.equal({
      rules: [
        {
          name: null,
          destination: 'https://example.com/ios',
          when: {
            platform: ['ios'],
            referrerHost: ['t.co'],
            after: '2026-01-01T00:00:00.000Z',
            not: { country: ['DE'], device: null },
          },
        },
      ],
      split: null,
      forwardQuery: false,
      forwardPath: null,
      ios: { deepLinkPath: '/p', fallback: 'store' },
    });
  });

  it('apps are told apart by their type', async () => {
    const apps = [
      { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' },
      { platform: 'android', package: 'com.example.app', sha256_fingerprints: [] },
    ];
    const input = { teamId: mine.teamId, name: 'Apps', apps };
    const mutation = `mutation ($input: CreateProjectInput!) { createProject(input: $input) { apps { __typename
      ... on IosApp { platform bundleId teamId appStoreId } ... on AndroidApp { platform package sha256Fingerprints } } } }`;
    const { data, errors } = await graphql(world.origin, mutation, { input }, owner);
    expect(errors).to.equal(undefined);
    const [ios, android] = data.createProject.apps;
    expect(ios).to.include({
      __typename: 'IosApp',
      platform: 'ios',
      bundleId: 'com.example.app',
      teamId: 'ABCDE12345',
    });
    expect(android).to.include({ __typename: 'AndroidApp', platform: 'android', package: 'com.example.app' });
  });

  it('the scope of a webhook names one thing', async () => {
    const { id } = (await mine.api('POST', '/links', { destination: 'https://example.com/' })).body;
    const hook = (await mine.api('POST', '/webhooks', { url: 'http://127.0.0.1:9999/hook', scope: { link_id: id } }))
      .body;
    const query = 'query ($id: ID!) { webhook(id: $id) { scope { projectId linkId tagId } scopeJson } }';
    const { data } = await graphql(world.origin, query, { id: hook.id }, owner);
    expect(data.webhook).to.deep.equal({
      scope: { projectId: null, linkId: id, tagId: null },
      scopeJson: { link_id: id },
    });
  });
});
