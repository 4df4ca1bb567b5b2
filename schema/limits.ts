import type { ApolloServerPlugin } from '@apollo/server';
import {
  coerceInputValue,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from 'graphql';
// The CommonJS build: the ESM build would load a second copy of graphql.
import * as complexity from 'graphql-query-complexity/cjs';
import type { Context } from './context.ts';
import { shapeProblem } from './documentShape.ts';
import { ruleOf } from './inputSchema.ts';

/** Versions of Node differ in the names that they find in a CommonJS module; `default` has them all, where it is the module. */
const { getComplexity, simpleEstimator } = { ...(complexity as { default?: object }).default, ...complexity };

/** A full page of 100 rows with 40 fields each costs 4,000. */
const MAX_COST = 10_000;
/** The number of rows assumed for a list without `limit`. */
const ASSUMED_ROWS = 50;
/** Rows that count in full: no page has more. Analytics may have more rows, which are small: each of those counts a fifth. */
const WHOLE_ROWS = 100;
const SMALL_ROW = 1 / 5;

/** Tokens of a document. The usual introspection query has 190, the largest query of the dashboard about 400. */
export const MAX_TOKENS = 1500;
/** Room for these tokens with long names, spaces and comments. */
const MAX_CHARACTERS = 48 * 1024;

/**
 * The cost of calling a root field, in addition to the fields of its result. One point is about 20 microseconds of a core,
 * and a tenth of that in the store. A document may hash a password or write a thousand links only a few times.
 */
export const WEIGHTS: Record<string, number> = {
  analytics: 300,
  // Whatever the number of groupings: they share one pass.
  analyticsBreakdowns: 900,
  draftLink: 200,
  // With filters that few clicks pass.
  clicks: 1000,
  exportLinks: 1000,
  importErrors: 300,
  importRows: 100,
  importRowsCsv: 300,
  installCount: 100,
  installMatch: 100,
  linkCount: 100,
  linkFacets: 300,
  linkQr: 500,
  linkSeries: 400,
  pageMetadata: 500,
  // Counts everything in it.
  projectContents: 1000,
  simulateMatch: 100,
  teamContents: 2000,
  traceLink: 100,
  unknownLinks: 300,
  acceptInvitation: 500,
  beginSecondFactor: 2000,
  bulkCreateLinks: 4000,
  bulkDeleteLinks: 4000,
  bulkUpdateLinks: 4000,
  changeEmail: 2000,
  changePassword: 2000,
  confirmEmail: 2000,
  confirmEmailChange: 2000,
  confirmSecondFactor: 500,
  createDomain: 300,
  deleteAccount: 2000,
  deleteProject: 2000,
  deleteTeam: 2000,
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

/** The same for fields within objects, by type: they are asked for once for each row of a list. */
const NESTED_WEIGHTS: Record<string, number> = {
  'Project.associationFiles': 100,
};

/**
 * Why a document is refused before it is validated; null if it is not. A document that cannot be parsed is not refused
 * here: the server reports the syntax error.
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
    return refused('query_too_costly', `The query has more than ${MAX_TOKENS} tokens. Split it into several queries.`);
  }
  const problem = document && shapeProblem(document, isSignedIn);
  if (!problem) return null;
  return refused(problem.needsSession ? 'not_signed_in' : 'query_too_costly', problem.message);
}

/** Objects that a list within an object counts for: most deliveries have fewer attempts, most health checks more. */
const NESTED_ROWS = 5;

/** A list costs the sum of its rows, a weighted field its weight, and any other field one point. */
const byRows: complexity.ComplexityEstimator = ({ field, args, childComplexity, type }) => {
  const isRoot = type.name === 'Query' || type.name === 'Mutation';
  const weight = (isRoot ? WEIGHTS[field.name] : NESTED_WEIGHTS[`${type.name}.${field.name}`]) ?? 1;
  // Another period is counted too.
  const own = args.compare === true ? 2 * weight : weight;
  const limit = field.args.find((arg) => arg.name === 'limit');
  // Each grouping has rows of its own.
  const answers = Array.isArray(args.groupBys) ? args.groupBys.length : 1;
  if (limit) return own + Math.ceil(childComplexity * answers * rowsOf(args.limit, ruleOf(limit).maximum));
  // The rows of a page have been counted by the limit of the page.
  const isNestedList = isListType(getNullableType(field.type)) && field.name !== 'data';
  return own + childComplexity * (isNestedList ? NESTED_ROWS : 1);
};

/** A limit above the maximum is refused before anything is fetched. */
function rowsOf(limit: unknown, maximum = WHOLE_ROWS): number {
  const rows = Math.min(Math.max(typeof limit === 'number' ? limit : ASSUMED_ROWS, 1), maximum);
  return Math.min(rows, WHOLE_ROWS) + Math.max(0, rows - WHOLE_ROWS) * SMALL_ROW;
}

/** Refuses expensive queries before anything is fetched. */
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

/** The cost of running the selected operation of a document. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Record<string, unknown>,
): number {
  const operation = getOperationAST(document, operationName);
  // Execution will report the error in the operation, and run nothing.
  if (!operation || !hasVariables(schema, operation, variables)) return 0;
  const others = (one: DefinitionNode) => one.kind === Kind.OPERATION_DEFINITION && one !== operation;
  const query = { ...document, definitions: document.definitions.filter((one) => !others(one)) };
  const estimators = [byRows, simpleEstimator({ defaultComplexity: 1 })];
  try {
    return getComplexity({ schema, query, estimators, variables });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // A nullable variable is null where null is not allowed. A field that fails must not hide the cost of the others.
    throw refused('BAD_USER_INPUT', error.message);
  }
}

/**
 * Whether all required variables are present; if not, execution reports it. Throws the first error in a value, because
 * execution would report fifty, each with the whole value.
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

/** Such a message may end with the whole value. */
function shortened(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500)}…`;
}

/** Null if it is not valid GraphQL; the server reports where it fails. */
function parsed(source: string): DocumentNode | 'too long' | null {
  try {
    return parse(source, { maxTokens: MAX_TOKENS, noLocation: true });
  } catch (error) {
    // graphql-js has no code for this error.
    return error instanceof GraphQLError && error.message.includes(`more that ${MAX_TOKENS} tokens`)
      ? 'too long'
      : null;
  }
}

function refused(code: 'query_too_costly' | 'not_signed_in' | 'BAD_USER_INPUT', message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}
