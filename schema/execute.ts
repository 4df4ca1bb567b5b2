import {
  type DocumentNode,
  execute as executeGraphql,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { isConflict, isStoreDown } from '../src/db/storeFailures.ts';
import { isDiskDown } from '../src/kernel/diskFailures.ts';
import { CodedError, validationFailed } from '../src/kernel/errors.ts';
import { ClientDisconnected } from '../src/kernel/incomingRequest.ts';
import { log } from '../src/kernel/log.ts';
import { STORE_AWAY, StoreUnresponsive } from '../src/kernel/storeResponse.ts';
import { type Context, createContext } from './context.ts';
import { coercePartly } from './dryRun.ts';

export interface Execution {
  schema: GraphQLSchema;
  /** A document that is parsed and validated. */
  document: DocumentNode;
  variables: Record<string, unknown>;
  context: Omit<Context, 'loaders'>;
}

/**
 * The entrance of every API except /graphql itself: runs a document and returns the value of its one root field. Throws a
 * coded error; errors that are not coded are masked. With `problems` in the context it only refuses: it throws
 * `validation_failed` with these and with what the service refuses of the rest.
 */
export async function execute({ schema, document, variables, context }: Execution): Promise<unknown> {
  if (context.problems?.length) return refuse({ schema, document, variables, context });
  const { data, errors } = await executeGraphql({
    schema,
    document,
    variableValues: variables,
    contextValue: createContext(context),
  });
  if (errors?.[0]) throw maskError(errors[0], context.requestId);
  return Object.values(data ?? {})[0];
}

/** Variables with problems would be refused by GraphQL as a whole, so the root field is asked without them. */
async function refuse({ schema, document, variables, context }: Execution): Promise<never> {
  const [definition] = document.definitions as [OperationDefinitionNode];
  const [node] = definition.selectionSet.selections as [FieldNode];
  const field = schema.getRootType(definition.operation)?.getFields()[node.name.value];
  const typeOf = (name: string) => field?.args.find((argument) => argument.name === name)?.type ?? GraphQLString;
  const args = (node.arguments ?? []).map(({ name, value }) => [
    name.value,
    coercePartly(valueFromASTUntyped(value, variables), typeOf(name.value)),
  ]);
  try {
    await field?.resolve?.(undefined, Object.fromEntries(args), createContext(context), {} as GraphQLResolveInfo);
  } catch (error) {
    throw maskError(error, context.requestId);
  }
  // A field without arguments has nobody who looks at them.
  throw validationFailed(context.problems ?? []);
}

const DISK_DOWN = 'The server cannot write to its disk at the moment. Try again later.';
const BUSY = 'Others changed the same at the same time, again and again. Nothing was changed; try again.';

function messageOf(error: unknown): string {
  return error instanceof StoreUnresponsive ? error.publicMessage : STORE_AWAY;
}

/** The coded error behind anything that was thrown during execution. All other errors are logged and masked. */
export function maskError(thrown: unknown, requestId: string): CodedError {
  const original = (thrown instanceof GraphQLError && thrown.originalError) || thrown;
  if (original instanceof CodedError) return original;
  if (original instanceof ClientDisconnected) {
    log.info({ requestId }, 'the client disconnected before its request had arrived');
    return new CodedError('request_timeout', 'The request did not arrive completely.');
  }
  if (original instanceof StoreUnresponsive) log.info({ requestId }, 'refused: the store does not respond');
  else log.error({ err: original, requestId }, 'unexpected error');
  if (isDiskDown(original)) return new CodedError('unavailable', DISK_DOWN, { retryAfterSeconds: 30 });
  if (isConflict(original)) return new CodedError('unavailable', BUSY, { retryAfterSeconds: 1 });
  return isStoreDown(original)
    ? new CodedError('unavailable', messageOf(original), { retryAfterSeconds: 5 })
    : new CodedError('internal_error', 'Something went wrong on our side. Include the request id if you contact us.');
}
