// stores: none
import { expect } from 'chai';
import { getNullableType, isListType, isObjectType } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { ruleOf } from '../../../schema/inputSchema.ts';
import { compileValidator } from '../../../schema/validate.ts';

const { schema, queries } = (() => {
  const built = buildGraphqlSchema();
  return { schema: built, queries: Object.values(built.getQueryType()?.getFields() ?? {}) };
})();

/** Files are given in parts too, but of text. */
const isPage = (type: string) => type.endsWith('Page') && type !== 'CsvPage';

describe('lists of the schema', () => {
  it('are pages of data and nextCursor, but for fixed words and answers to each entry of an argument', () => {
    const bare = queries.filter(({ type }) => isListType(getNullableType(type)));
    // A person owns few teams, and of those few are deleted and not yet gone.
    const fixed = ['installCount', 'auditActions', 'deletedTeams'];
    expect(bare.map(({ name }) => name)).to.have.members(['analyticsBreakdowns', ...fixed]);
    for (const { name, args } of bare.filter(({ name }) => !fixed.includes(name))) {
      const asked = args.filter(({ type }) => isListType(getNullableType(type)));
      expect(asked.length, name).to.equal(1);
      for (const one of asked) expect(ruleOf(one).maxItems, name).to.be.at.most(25);
    }
    for (const [name, type] of Object.entries(schema.getTypeMap())) {
      if (!isPage(name) || !isObjectType(type)) continue;
      expect(Object.keys(type.getFields()), name).to.include.members(['data', 'nextCursor']);
    }
  });

  it('that are pages take limit and cursor', () => {
    const paged = queries.filter(({ type }) => isPage(getNullableType(type).toString()));
    expect(paged.map(({ name }) => name)).to.include.members(['teams', 'members', 'sessions', 'links']);
    for (const { name, args } of paged) {
      expect(
        args.map((arg) => arg.name),
        name,
      ).to.include.members(['limit', 'cursor']);
    }
  });
});

describe('the words that may be said', () => {
  it('are listed without null, which means that none is', () => {
    const validate = compileValidator({
      type: 'object',
      properties: { status: { type: ['string', 'null'], enum: ['archived', 'active', null] } },
    });
    const message = 'Must be one of: archived, active.';
    expect(validate({ status: 'x' })).to.deep.equal([
      { path: 'status', message, rule: 'enum', limit: ['archived', 'active'] },
    ]);
    expect(validate({ status: null })).to.deep.equal([]);
  });
});
