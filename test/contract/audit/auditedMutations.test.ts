// stores: any
import { expect } from 'chai';
import { type GraphQLOutputType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
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

/** How deep the fields of answers are asked for. */
const DEPTH = 2;

describe('every mutation', () => {
  const world = useWorld();
  afterEach(() => clock.reset());

  /** All fields that need no argument, objects within them too: what has just changed must not make one of them fail. */
  const fieldsOf = (of: GraphQLOutputType, depth = DEPTH): string => {
    const type = getNamedType(of);
    if (!isObjectType(type)) return isLeafType(type) ? '' : '{ __typename }';
    const fields = Object.values(type.getFields()).filter(
      (field) => !field.args.some(isRequiredArgument) && (depth > 0 || isLeafType(getNamedType(field.type))),
    );
    return `{ __typename ${fields.map((field) => `${field.name} ${fieldsOf(field.type, depth - 1)}`).join(' ')} }`;
  };

  const questionOf = ({ name, args, type }: (typeof MUTATIONS)[number]) => {
    const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    return `mutation ${declared && `(${declared})`} { ${name}${given && `(${given})`} ${fieldsOf(type)} }`;
  };

  for (const mutation of MUTATIONS) {
    const { name } = mutation;
    if (name in NOT_AUDITED) continue;
    it(`${name} leaves one entry that says so, and answers with every field that it has`, async () => {
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
