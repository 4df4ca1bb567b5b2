// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const LIST = `query ($teamId: ID!, $projectId: ID, $action: String, $actions: [String!], $subjectId: ID, $limit: Int,
    $cursor: String) {
  auditLog(teamId: $teamId, projectId: $projectId, action: $action, actions: $actions, subjectId: $subjectId,
    limit: $limit, cursor: $cursor) { data { action } nextCursor } }`;

describe('the actions of the audit log', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;

  before(async () => {
    mine = await makeTenant(world);
    viewer = await memberSession(world, mine.teamId, 'viewer');
  });
  afterEach(() => clock.reset());

  const ask = (variables: object = {}) => graphql(world.origin, LIST, { teamId: mine.teamId, ...variables }, viewer);
  const actions = async (variables: object): Promise<string[]> => {
    const { data, errors } = await ask(variables);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return data.auditLog.data.map(({ action }: { action: string }) => action);
  };

  it('are filters, several at once, page by page and with other filters', async () => {
    const time = stopClock();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      ids.push((await createLink(mine.api, { destination: DESTINATION })).id);
      time.move(1);
      await mine.api('PATCH', `/links/${ids.at(-1)}`, { title: 'New' });
      time.move(1);
    }
    await mine.api('DELETE', `/links/${ids[0]}`);
    const both = ['link.deleted', 'link.updated'];
    const expected = ['link.deleted', 'link.updated', 'link.updated', 'link.updated'];
    expect(await actions({ actions: both })).to.deep.equal(expected);
    expect(await actions({ actions: [...both, ...both], subjectId: ids[0] })).to.deep.equal(both);
    expect(await actions({ actions: both, action: 'link.updated' })).to.deep.equal(expected.slice(1));
    expect(await actions({ actions: both, action: 'link.created' })).to.deep.equal([]);
    // With the sign-in of the viewer.
    expect(await actions({ actions: [] })).to.have.length(8);
    expect(await actions({ actions: both, projectId: (await makeTenant(world, mine.teamId)).projectId })).to.deep.equal(
      [],
    );
    const first = await ask({ actions: both, limit: 3 });
    const { nextCursor: cursor } = first.data.auditLog;
    expect(await actions({ actions: both, limit: 3, cursor })).to.deep.equal(['link.updated']);
    for (const filter of [{ actions: ['link.stolen'] }, { actions: ['link.stolen', 'link.created'] }])
      expect((await ask(filter)).errors?.[0]?.extensions.code).to.equal('validation_failed');
    expect((await ask({ actions: both.slice(1), limit: 3, cursor })).errors?.[0]?.extensions.code).to.equal(
      'invalid_request',
    );
  });

  it('are all listed, for people who are signed in', async () => {
    const list = 'query { auditActions { action about } }';
    const { data } = await graphql(world.origin, list, {}, viewer);
    expect(data.auditActions).to.deep.include({ action: 'link.created', about: 'A link was created.' });
    const listed = data.auditActions.map(({ action }: { action: string }) => action);
    expect((await ask({ actions: listed })).errors).to.equal(undefined);
    expect((await graphql(world.origin, list)).errors?.[0]?.extensions.code).to.equal('not_signed_in');
  });
});
