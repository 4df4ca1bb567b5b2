import { coerceInputValue, type GraphQLSchema, isInputObjectType } from 'graphql';
import type { LinkRow, LinkRules, ParsedRow } from '../../src/links/bulkService.ts';
import { schemaOfInputs, toGraph } from '../inputSchema.ts';
import { compileValidator } from '../validate.ts';

/** The rules for links in lists and files, computed from the input types of single links. */
export function linkRules(schema: GraphQLSchema): LinkRules {
  return {
    create: parser(schema, 'CreateLinkInput'),
    update: parser(schema, 'UpdateLinkInput'),
    upsert: parser(schema, 'UpsertLinkRowInput'),
  };
}

function parser<Input>(schema: GraphQLSchema, name: string): (row: LinkRow) => ParsedRow<Input> {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input type ${name}`);
  const validate = compileValidator(schemaOfInputs(Object.values(type.getFields()), 'wire'));
  // The type requires it, and rows do not have it.
  const implied = 'projectId' in type.getFields() ? { projectId: '' } : {};
  return (row) => {
    const problems = validate(row);
    if (problems.length > 0) return { problems };
    const { projectId: _, ...input } = coerceInputValue({ ...(toGraph(row, type) as object), ...implied }, type) as {
      projectId?: string;
    };
    return { input: input as Input };
  };
}
