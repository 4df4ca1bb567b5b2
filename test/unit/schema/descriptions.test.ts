// stores: none
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { undescribed } from '../../../scripts/print/undescribed.ts';

describe('descriptions of the GraphQL schema', () => {
  it('stand on every type, field, argument, input field and enum value', () => {
    expect(undescribed(buildGraphqlSchema())).to.deep.equal([]);
  });

  it('are missed wherever one is left out', () => {
    const schema = buildSchema(`
      "Root." type Query { "One." described("Which one." id: ID!, bare: Int): Color  bare: String }
      enum Color { "Red." red blue }
      "Sent." input Sent { bare: Int }
    `);
    expect(undescribed(schema).filter((name) => /^(Query|Color|Sent)/.test(name))).to.have.members([
      'Query.described(bare:)',
      'Query.bare',
      'Color',
      'Color.blue',
      'Sent.bare',
    ]);
  });
});
