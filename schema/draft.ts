import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import { type FieldProblem, validationFailed } from '../src/kernel/errors.ts';
import type { Context } from './context.ts';
import { badFields, wellFormed } from './dryRun.ts';
import { graphPath } from './inputSchema.ts';

/**
 * On a query that checks an `input` while people are still writing it: fields that break their rules do not refuse the
 * query. They are left out of the input and come first in the `problems` of the result, where all paths begin with `input`.
 */
export function Draft(): MethodDecorator {
  return Extensions({ isDraft: true });
}

export function isDraft(field: GraphQLField<unknown, Context>): boolean {
  return field.extensions.isDraft === true;
}

type Arguments = Record<string, unknown>;

/** Runs the resolver of such a query on what is well-formed. Throws `validation_failed` for problems of other arguments. */
export async function resolveDraft(
  field: GraphQLField<unknown, Context>,
  run: (args: Arguments, context: Context) => unknown,
  args: Arguments,
  context: Context,
  problems: FieldProblem[],
): Promise<unknown> {
  const type = field.args.find(({ name }) => name === 'input')?.type;
  if (!type) throw new Error(`${field.name} has no input`);
  if (problems.some(({ path }) => !path.startsWith('input.'))) throw validationFailed(problems);
  const illFormed = badFields(problems);
  const input = wellFormed(args.input, type, illFormed);
  const draft = (await run({ ...args, input }, { ...context, illFormed })) as { problems: FieldProblem[] };
  const further = draft.problems.map(({ path, ...problem }) => ({
    ...problem,
    path: path === '' ? 'input' : `input.${graphPath(path, type)}`,
  }));
  return { ...draft, problems: [...problems, ...further] };
}
