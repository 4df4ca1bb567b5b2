import type { ApolloServerPlugin } from '@apollo/server';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError, type ValidationRule } from 'graphql';
import { type ComplexityEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity/cjs';
import type { Context } from './context.ts';

// Its ESM build imports graphql's own ESM build, a second copy beside the one that Node gives everybody else.

/** Deeper than any question of the dashboard by half. */
const MAX_DEPTH = 10;
/** A full page of 100 rows with 40 fields each costs 4,000. */
const MAX_COST = 10_000;
/** Rows that a list counts for when it does not say how many. */
const ASSUMED_ROWS = 50;

/** Words and signs of a query: the parser nests as deeply as they do, and would run out of stack. */
export const MAX_TOKENS = 5000;

/** Refuses questions that nest too deeply; introspection is let through. */
export const depthRule: ValidationRule = maxDepthRule({
  n: MAX_DEPTH,
  ignoreIntrospection: true,
  exposeLimits: true,
  // By itself the rule throws, which counts as a fault of ours instead of one of the question.
  propagateOnRejection: false,
  onReject: [(context, error) => context?.reportError(error)],
});

/** A list costs what its rows cost together; everything else costs one. */
const byRows: ComplexityEstimator = ({ field, args, childComplexity }) =>
  field.args.some((arg) => arg.name === 'limit') ? 1 + childComplexity * (args.limit ?? ASSUMED_ROWS) : undefined;

/** Refuses questions that would fetch too much, before anything is fetched. */
export const costLimit: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ request, document, schema, operationName }) {
        const cost = costOf({
          schema,
          query: document,
          estimators: [byRows, simpleEstimator({ defaultComplexity: 1 })],
          ...(operationName ? { operationName } : {}),
          ...(request.variables ? { variables: request.variables } : {}),
        });
        if (cost <= MAX_COST) return;
        throw new GraphQLError(`The query costs ${cost}, more than ${MAX_COST}. Ask for fewer rows or fields.`, {
          extensions: { code: 'query_too_costly' },
        });
      },
    };
  },
};

/** Variables that do not fit cost nothing: the execution refuses them, and says which. */
function costOf(options: Parameters<typeof getComplexity>[0]): number {
  try {
    return getComplexity(options);
  } catch (error) {
    if (error instanceof GraphQLError) return 0;
    throw error;
  }
}
