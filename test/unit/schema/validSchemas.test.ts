// stores: none
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { isInputObjectType, isIntrospectionType, isObjectType } from 'graphql';
import { compileRoutes, schemaOfQuery } from '../../../facade/route.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { type JsonSchema, schemaOfInputs } from '../../../schema/inputSchema.ts';
import { loadConfig } from '../../../src/kernel/config.ts';

describe('the schemas that inputs are checked by', () => {
  const ajv = new Ajv2020({ strict: false });
  const expectValid = (schema: JsonSchema, name: string) =>
    expect(ajv.validateSchema(schema) === true ? null : ajv.errorsText(), name).to.equal(null);

  before(() => loadConfig({ LOG_LEVEL: 'silent' }));

  it('are valid, of the arguments of every field and of every input', () => {
    let count = 0;
    for (const type of Object.values(buildGraphqlSchema().getTypeMap())) {
      if (isIntrospectionType(type)) continue;
      const inputs = isInputObjectType(type)
        ? [Object.values(type.getFields())]
        : isObjectType(type)
          ? Object.values(type.getFields()).map(({ args }) => args)
          : [];
      for (const fields of inputs) {
        for (const names of ['graph', 'wire'] as const) expectValid(schemaOfInputs(fields, names), type.name);
        count += 1;
      }
    }
    expect(count).to.be.above(200);
  });

  it('are valid, of the query of every route', () => {
    for (const route of compileRoutes(buildGraphqlSchema()))
      expectValid(schemaOfQuery(route, route.queryArguments), route.id);
  });

  it('would not be, if one had a keyword of the wrong type', () => {
    expect(ajv.validateSchema({ type: 'object', required: 'name' })).to.equal(false);
  });
});
