// stores: each
import { expect } from 'chai';
import { getNamedType, isLeafType } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { AUDIT_ACTIONS } from '../../../src/audit/actions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { AUDITED, NOT_AUDITED } from '../../support/audited/mutations.ts';
import { graphql } from '../../support/graphql.ts';
import { makeThings } from '../../support/operations.ts';
import { makeTenant, memberSession } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const MUTATIONS = Object.values(buildGraphqlSchema().getMutationType()?.getFields() ?? {});

describe('every mutation', () => {
  const world = useWorld();
  afterEach(() => clock.reset());

  /** Asks for as little as the mutation allows. */
  const questionOf = ({ name, args, type }: (typeof MUTATIONS)[number]) => {
    const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const fields = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
    return `mutation ${declared && `(${declared})`} { ${name}${given && `(${given})`} ${fields} }`;
  };

  for (const mutation of MUTATIONS) {
    const { name } = mutation;
    if (name in NOT_AUDITED) continue;
    it(`${name} leaves one entry that says so`, async () => {
      const row = AUDITED[name];
      if (!row) throw new Error(`Say in AUDITED how ${name} is called, or in NOT_AUDITED why it is not noted`);
      const mine = await makeTenant(world);
      const owner = await memberSession(world, mine.teamId, 'owner');
      const prepared = { world, mine, owner, cookie: owner, things: await makeThings(mine) };
      const variables = await row.variables(prepared);
      const before = new Set((await AuditEntry.findAll()).map(({ id }) => id));
      const { data, errors } = await graphql(world.origin, questionOf(mutation), { ...variables }, prepared.cookie);
      expect(errors, JSON.stringify(errors)).to.equal(undefined);
      expect(data).to.have.property(name);
      const entries = (await AuditEntry.findAll()).filter(({ id }) => !before.has(id));
      expect(entries.map(({ action }) => action)).to.deep.equal([row.action]);
      expect(entries[0]?.actorKind).to.equal('user');
      if (!row.isOfNewTeam) expect(entries[0]?.teamId).to.equal(mine.teamId);
      expect(AUDIT_ACTIONS).to.have.property(row.action);
    });
  }

  it('is in one of the two lists, and none of them is made up', () => {
    const names = MUTATIONS.map(({ name }) => name);
    expect([...Object.keys(AUDITED), ...Object.keys(NOT_AUDITED)]).to.have.members(names);
  });
});
