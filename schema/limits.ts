import type { ApolloServerPlugin } from '@apollo/server';
import {
  coerceInputValue,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  isNonNullType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from 'graphql';
import { type ComplexityEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity/cjs';
import type { Context } from './context.ts';
import { shapeProblem } from './documentShape.ts';

// Its ESM build imports graphql's own ESM build, a second copy beside the one that Node gives everybody else.

/** A full page of 100 rows with 40 fields each costs 4,000. */
const MAX_COST = 10_000;
/** Rows that a list counts for when it does not say how many. */
const ASSUMED_ROWS = 50;
/** What `limit` is held to: the rule of `PageArgs`. Outside of it nothing is fetched. */
const MOST_ROWS = 100;

/** Words and signs of a query. The usual introspection query has 190, the largest question of the dashboard some 400. */
export const MAX_TOKENS = 1500;
/** Those tokens with long names, spaces and comments. */
const MAX_CHARACTERS = 48 * 1024;

/**
 * What a call of these costs beside what is asked of its result: a point is about 20 microseconds of a core, a tenth of
 * that of the store. What hashes a password or writes to a thousand links can be asked a few times in a document.
 */
export const WEIGHTS: Record<string, number> = {
  analytics: 300,
  exportLinks: 1000,
  importErrors: 300,
  importRows: 300,
  installMatch: 100,
  linkCount: 100,
  linkQr: 500,
  simulateMatch: 100,
  traceLink: 100,
  acceptInvitation: 500,
  beginSecondFactor: 2000,
  bulkCreateLinks: 4000,
  bulkDeleteLinks: 4000,
  bulkUpdateLinks: 4000,
  changePassword: 2000,
  confirmSecondFactor: 500,
  createDomain: 300,
  disableSecondFactor: 2000,
  newRecoveryCodes: 2000,
  replayWebhook: 2000,
  requestPasswordReset: 500,
  resetPassword: 2000,
  reviewLink: 300,
  runHealthChecks: 4000,
  signIn: 2000,
  signUp: 2000,
  startImport: 4000,
  testWebhook: 300,
  verifyDomain: 500,
};

/**
 * Why a document is refused before it is validated; null: it may be. What cannot be parsed is left to whoever parses it
 * to answer it.
 */
export function refusalOf(source: string, isSignedIn: boolean): GraphQLError | null {
  if (source.length > MAX_CHARACTERS) {
    return refused(
      'query_too_costly',
      `The query is longer than ${MAX_CHARACTERS} characters. Send values as variables.`,
    );
  }
  const document = parsed(source);
  if (document === 'too long') {
    return refused(
      'query_too_costly',
      `The query has more than ${MAX_TOKENS} words and signs. Ask in several queries.`,
    );
  }
  const problem = document && shapeProblem(document, isSignedIn);
  if (!problem) return null;
  return refused(problem.needsSession ? 'not_signed_in' : 'query_too_costly', problem.message);
}

/** A list costs what its rows cost together, and whatever has a weight costs that; everything else costs one. */
const byRows: ComplexityEstimator = ({ field, args, childComplexity, type }) => {
  const own = type.name === 'Query' || type.name === 'Mutation' ? (WEIGHTS[field.name] ?? 1) : 1;
  return own + childComplexity * rowsOf(field.args.some((arg) => arg.name === 'limit') ? args.limit : 1);
};

function rowsOf(limit: unknown): number {
  const rows = typeof limit === 'number' ? limit : ASSUMED_ROWS;
  return Math.min(Math.max(rows, 1), MOST_ROWS);
}

/** Refuses questions that would fetch too much, before anything is fetched. */
export const costLimit: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ request, document, schema, operationName }) {
        const cost = costOf(schema, document, operationName, request.variables ?? {});
        if (cost <= MAX_COST) return;
        throw refused(
          'query_too_costly',
          `The query costs ${cost}, more than ${MAX_COST}. Ask for fewer rows or fields.`,
        );
      },
    };
  },
};

/** What the operation that is meant would cost to run. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Record<string, unknown>,
): number {
  const operation = getOperationAST(document, operationName);
  // Execution says what is wrong with an operation, and runs nothing.
  if (!operation || !hasVariables(schema, operation, variables)) return 0;
  const others = (one: DefinitionNode) => one.kind === Kind.OPERATION_DEFINITION && one !== operation;
  const query = { ...document, definitions: document.definitions.filter((one) => !others(one)) };
  const estimators = [byRows, simpleEstimator({ defaultComplexity: 1 })];
  try {
    return getComplexity({ schema, query, estimators, variables });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // A null where none can be, by a variable that may be null: a field that would fail must not hide what the others cost.
    throw refused('BAD_USER_INPUT', error.message);
  }
}

/**
 * Whether all that must be there are there; if not, execution says so. Throws the first fault of a value: execution would
 * name fifty, and print the whole value with each.
 */
function hasVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): boolean {
  return variableDefinitions.every(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as NamedTypeNode);
    const value = variables[name];
    if (!isInputType(type)) return false;
    if (value === undefined) return defaultValue !== undefined || !isNonNullType(type);
    coerceInputValue(value, type, (path, _, { message }) => {
      const at = path.length > 0 ? ` at "${[name, ...path].join('.')}"` : '';
      throw refused('BAD_USER_INPUT', `Variable "$${name}" got an invalid value${at}; ${shortened(message)}`);
    });
    return true;
  });
}

/** It may end with the value. */
function shortened(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500)}…`;
}

/** Null: it is no GraphQL, and execution says where it fails. */
function parsed(source: string): DocumentNode | 'too long' | null {
  try {
    return parse(source, { maxTokens: MAX_TOKENS, noLocation: true });
  } catch (error) {
    // graphql-js has no other mark for it.
    return error instanceof GraphQLError && error.message.includes(`more that ${MAX_TOKENS} tokens`)
      ? 'too long'
      : null;
  }
}

function refused(code: 'query_too_costly' | 'not_signed_in' | 'BAD_USER_INPUT', message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}
