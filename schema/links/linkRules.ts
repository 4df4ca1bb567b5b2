import { coerceInputValue, type GraphQLSchema, isInputObjectType } from 'graphql';
import type { LinkRow, LinkRules, ParsedRow } from '../../src/services/links/parseLinkRow.ts';
import { schemaOfInputs } from '../inputSchema.ts';
import { compileValidator } from '../validate.ts';
import { toGraph } from '../wireInput.ts';

/** The rules of links for rows that come in lists and files, read off the input types of single links. */
export function linkRules(schema: GraphQLSchema): LinkRules {
  return { create: parser(schema, 'CreateLinkInput'), update: parser(schema, 'UpdateLinkInput') };
}

function parser<Input>(schema: GraphQLSchema, name: string): (row: LinkRow) => ParsedRow<Input> {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input type ${name}`);
  const validate = compileValidator(schemaOfInputs(Object.values(type.getFields()), 'wire'));
  // Not in a row, and asked for by the type.
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
