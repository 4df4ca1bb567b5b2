// stores: none
import { expect } from 'chai';
import { getNamedType, isEnumType, isInputObjectType, isObjectType, parse, validate } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import type { Rule } from '../../../schema/rules.ts';

const schema = buildGraphqlSchema();
const NAME = /^[A-Za-z_]\w*$/;

describe('enums of the GraphQL schema', () => {
  it('are the types of all fields and arguments whose rule lists words that GraphQL can spell', () => {
    const plain: string[] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        for (const place of [field, ...('args' in field ? field.args : [])]) {
          const rule = (place.extensions.rule ?? {}) as Rule;
          const words = rule.enum ?? rule.items?.enum;
          if (!words) continue;
          const named = getNamedType(place.type);
          if (isEnumType(named)) expect(named.getValues().map(({ value }) => value)).to.have.members([...words]);
          else if (words.every((word) => NAME.test(word))) plain.push(`${type.name}.${field.name}.${place.name}`);
        }
      }
    }
    // Its name is that of the type that lists codes with their status.
    expect(plain).to.deep.equal(['BulkError.code.code']);
  });

  it('refuse an unknown word and name the one that was meant', () => {
    const [error] = validate(schema, parse('{ links(projectId: "prj_1", status: activ) { data { id } } }'));
    expect(error?.message).to.equal(
      'Value "activ" does not exist in "LinkStatus" enum. Did you mean the enum value "active"?',
    );
  });
});
