// stores: each
import { expect } from 'chai';
import { graphql } from '../../support/graphql.ts';
import { makeHook } from '../../support/makeHook.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1999/hook';
const LIST = `query ($projectId: ID, $teamId: ID, $wide: Boolean, $limit: Int, $cursor: String) {
  webhooks(projectId: $projectId, teamId: $teamId, includesTeamWide: $wide, limit: $limit, cursor: $cursor) {
    data { id } nextCursor } }`;

describe('webhooks of a project with those of its team', () => {
  let world: World;
  let mine: Tenant;
  let owner: string;
  let own: string;
  let teamWide: string;
  let neighbours: string;

  before(async () => {
    world = await joinWorld();
    mine = await firstTenant(world);
    owner = await ownerSession(world);
    neighbours = (await makeHook((await makeTenant(world, mine.teamId)).api, { url: NOWHERE })).id;
    own = (await makeHook(mine.api, { url: NOWHERE })).id;
    teamWide = await makeTeamWide(mine.teamId, owner);
    const others = await makeTenant(world);
    await makeTeamWide(others.teamId, await memberSession(world, others.teamId, 'owner'));
  });
  after(() => world.stop());

  async function makeTeamWide(teamId: string, cookie: string): Promise<string> {
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const { data } = await graphql(world.origin, create, { input: { teamId, url: NOWHERE } }, cookie);
    return data.createWebhook.id;
  }
  const list = async (variables: object, cookie = owner) => {
    const { data, errors } = await graphql(world.origin, LIST, { projectId: mine.projectId, ...variables }, cookie);
    if (errors) return errors[0]?.extensions.code;
    return data.webhooks.data.map(({ id }: { id: string }) => id);
  };

  it('lists both kinds newest first when asked to, and else those of the project alone', async () => {
    expect(await list({ wide: true })).to.deep.equal([teamWide, own]);
    expect(await list({ wide: false })).to.deep.equal([own]);
    expect(await list({})).to.deep.equal([own]);
  });

  it('lists all of a team, whether or not it is asked for those of the team', async () => {
    for (const wide of [true, false]) {
      const ids = await list({ projectId: undefined, teamId: mine.teamId, wide });
      expect(ids).to.deep.equal([teamWide, own, neighbours]);
    }
  });

  it('pages through both kinds, with cursors that are good for the same question alone', async () => {
    const page = async (variables: object) => {
      const asked = { projectId: mine.projectId, limit: 1, ...variables };
      return (await graphql(world.origin, LIST, asked, owner)).data?.webhooks;
    };
    const first = await page({ wide: true });
    const second = await page({ wide: true, cursor: first.nextCursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal([teamWide, own]);
    expect(second.nextCursor).to.equal(null);
    expect(await list({ limit: 1, cursor: first.nextCursor })).to.equal('invalid_request');
  });

  it('shows a viewer both, and others nothing', async () => {
    expect(await list({ wide: true }, await memberSession(world, mine.teamId, 'viewer'))).to.have.length(2);
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    expect(await list({ wide: true }, stranger)).to.equal('not_found');
  });

  it('never shows a key those of the team', async () => {
    const { body } = await mine.api('GET', '/webhooks');
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([own]);
    expect((await mine.api('GET', `/webhooks/${teamWide}`)).status).to.equal(404);
  });
});
