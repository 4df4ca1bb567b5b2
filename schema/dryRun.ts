import { coerceInputValue, type GraphQLField, type GraphQLInputType, isInputObjectType, isNonNullType } from 'graphql';
import { Extensions } from 'type-graphql';
import { errorOfDryRun } from '../src/kernel/dryRun.ts';
import { CodedError, type FieldProblem } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';
import { snakeCase } from '../src/kernel/wire.ts';
import type { Context } from './context.ts';

interface DryRunOptions {
  /** Input fields without which the service can check nothing: while one of them is ill-formed, there is no dry run. */
  unlessBad?: string[];
}

/**
 * On a mutation: when fields of its input break their rules, its service runs dry on the rest, and the refusal lists what
 * both refuse. The service must check before it acts, and bear that ill-formed fields are left out of its input.
 */
export function DryRun(options: DryRunOptions = {}): MethodDecorator {
  return Extensions({ dryRun: options });
}

type Arguments = Record<string, unknown>;

/**
 * What the service behind a mutation refuses of the well-formed fields of its input, when others have `problems`: only
 * the project knows, for example, whether a domain can be used. Empty for queries and for mutations without `@DryRun`.
 */
export async function remainingProblems(
  field: GraphQLField<unknown, Context>,
  run: (args: Arguments) => unknown,
  args: Arguments,
  { requestId }: Context,
  problems: FieldProblem[],
): Promise<FieldProblem[]> {
  const options = field.extensions.dryRun as DryRunOptions | undefined;
  const type = field.args.find(({ name }) => name === 'input')?.type;
  if (!options || !type) return [];
  const bad = badFields(problems);
  if (options.unlessBad?.some((name) => bad.has(snakeCase(name)))) return [];
  const error = await errorOfDryRun(() => run({ ...args, input: wellFormed(args.input, type, bad) }));
  if (error !== null && !(error instanceof CodedError)) {
    log.error({ err: error, requestId, mutation: field.name }, 'unexpected error in a dry run');
  }
  return (error instanceof CodedError && error.fields) || [];
}

/** The fields of an input that have problems, as the wire spells them. */
export function badFields(problems: FieldProblem[]): ReadonlySet<string> {
  return new Set(problems.map(({ path }) => fieldOf(path)));
}

/** REST names a field by its own path, GraphQL by that of the argument. */
function fieldOf(path: string): string {
  const parts = path.split('.');
  return snakeCase((parts[0] === 'input' ? parts[1] : parts[0]) ?? '');
}

/** The input without its bad fields, as resolvers get it; what is missing was listed with the problems. */
export function wellFormed(input: unknown, type: GraphQLInputType, bad: ReadonlySet<string>): unknown {
  const given = Object.entries((input ?? {}) as object).filter(([name]) => !bad.has(snakeCase(name)));
  const object = isNonNullType(type) ? type.ofType : type;
  return isInputObjectType(object) ? Object.fromEntries(given) : input;
}

/** Variables of REST are not coerced when they have problems, because GraphQL would refuse them as a whole. */
export function coercePartly(value: unknown, type: GraphQLInputType): unknown {
  return coerceInputValue(value, type, () => {});
}
