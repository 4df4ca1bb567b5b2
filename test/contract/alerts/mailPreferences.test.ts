// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { ALERT_KINDS } from '../../../src/models/alertKinds.ts';
import { Team } from '../../../src/models/Team.ts';
import { graphql } from '../../support/graphql.ts';
import { makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const READ = 'query ($teamId: ID!) { mailPreferences(teamId: $teamId) { kinds { kind about on } } }';
const SET =
  'mutation ($teamId: ID!, $kinds: [AlertKind!]) { setMailPreferences(teamId: $teamId, kinds: $kinds) { kinds { kind on } } }';
const ALL = Object.keys(ALERT_KINDS);

describe('mail preferences', () => {
  const world = useWorld();
  let mine: Tenant;
  beforeEach(async () => {
    mine = await makeTenant(world);
  });

  const on = (kinds: { kind: string; on: boolean }[]) => kinds.filter((one) => one.on).map(({ kind }) => kind);
  const read = async (cookie: string) => {
    const { data } = await graphql(world.origin, READ, { teamId: mine.teamId }, cookie);
    return on(data.mailPreferences.kinds);
  };
  const set = (cookie: string | undefined, kinds: unknown, teamId = mine.teamId) =>
    graphql(world.origin, SET, { teamId, kinds }, cookie);

  it('are all for owners and admins, none for members and viewers', async () => {
    const expected = { owner: ALL, admin: ALL, member: [], viewer: [] };
    for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
      expect(await read(await memberSession(world, mine.teamId, role))).to.deep.equal(expected[role]);
    }
  });

  it('tell what each kind is about', async () => {
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    const { data } = await graphql(world.origin, READ, { teamId: mine.teamId }, viewer);
    const about = Object.entries(ALERT_KINDS).map(([kind, text]) => ({ kind, about: text, on: false }));
    expect(data.mailPreferences.kinds).to.deep.equal(about);
  });

  it('are everybody’s own, whatever their role, also in survival mode; null gives the role its word again', async () => {
    const [viewer, owner] = [
      await memberSession(world, mine.teamId, 'viewer'),
      await memberSession(world, mine.teamId, 'owner'),
    ];
    await inTransaction((transaction) =>
      Team.update({ status: 'read_only' }, { where: { id: mine.teamId }, transaction }),
    );
    expect(on((await set(viewer, ['health', 'domain'])).data.setMailPreferences.kinds)).to.deep.equal([
      'health',
      'domain',
    ]);
    await set(owner, []);
    expect([await read(viewer), await read(owner)]).to.deep.equal([['health', 'domain'], []]);
    await set(owner, null);
    await set(viewer, null);
    expect([await read(viewer), await read(owner)]).to.deep.equal([[], ALL]);
  });

  it('refuse unknown kinds, teams of others, and those who are not signed in', async () => {
    const owner = await memberSession(world, mine.teamId, 'owner');
    const others = (await makeTenant(world)).teamId;
    const code = async (reply: ReturnType<typeof set>) => (await reply).errors?.[0]?.extensions.code;
    expect(await code(set(owner, ['fire']))).to.equal('BAD_USER_INPUT');
    expect(await code(set(owner, ['health', 'health']))).to.equal('validation_failed');
    expect(await code(set(owner, [], others))).to.equal('not_found');
    expect(await code(graphql(world.origin, READ, { teamId: others }, owner))).to.equal('not_found');
    expect(await code(set(undefined, []))).to.equal('not_signed_in');
    expect(await read(owner)).to.deep.equal(ALL);
  });
});
