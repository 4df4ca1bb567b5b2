import { type DocumentNode, execute as executeGraphql, type GraphQLSchema } from 'graphql';
import { type Context, createContext } from './context.ts';
import { maskError } from './maskError.ts';

export interface Execution {
  schema: GraphQLSchema;
  /** Parsed and validated before. */
  document: DocumentNode;
  variables: Record<string, unknown>;
  context: Omit<Context, 'loaders'>;
}

/**
 * The door of every surface but /graphql itself: runs a document and gives the value of its one root field. Throws a
 * coded error; errors that are not coded are masked.
 */
export async function execute({ schema, document, variables, context }: Execution): Promise<unknown> {
  const { data, errors } = await executeGraphql({
    schema,
    document,
    variableValues: variables,
    contextValue: createContext(context),
  });
  if (errors?.[0]) throw maskError(errors[0], context.requestId);
  return Object.values(data ?? {})[0];
}
