import type { UseFormReturnType } from '@mantine/form';
import { type FieldProblem, GraphqlError, pathOf } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';

/** Why a field was refused, in the language of the page; in the server's words where it alone knows the rule. */
export function fieldMessage({ message, rule, limit }: FieldProblem): string {
  if (rule === 'enum' && Array.isArray(limit)) return t.common.ruleOneOf(limit.join(', '));
  const { rules } = t.common;
  return rule && rule in rules ? rules[rule as keyof typeof rules](Number(limit)) : message;
}

/**
 * Puts the problems that the server found to the fields of a form and focuses the first one. Gives the messages of those
 * that no field of the form has, to be listed above it.
 */
export function showProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
): string[] {
  const problems = error instanceof GraphqlError ? error.fields : [];
  if (problems.length === 0) return [(error as Error).message];
  const known = Object.keys(form.getValues());
  const found: Record<string, string> = {};
  const others: string[] = [];
  for (const problem of problems) {
    const { message } = problem;
    const name = pathOf(problem);
    const field = fieldOf(name, known);
    if (field === undefined) others.push(`${name}: ${message}`);
    else found[field] ??= message;
  }
  form.setErrors(found);
  const first = known.find((field) => field in found);
  // After the errors are on the page, so that the field is described by its own.
  if (first) requestAnimationFrame(() => form.getInputNode(first)?.focus());
  return others;
}

/**
 * The same for a form that keeps its values itself: messages by the name of the field; what belongs to none of `shown` is under
 * `''`, as the field's name and what is wrong with it.
 */
export function errorsOf(error: Error, shown: readonly string[]): Record<string, string> {
  const fields = error instanceof GraphqlError ? error.fields : [];
  if (fields.length === 0) return { '': error.message };
  const found = fields.map((problem): [string, string] => {
    const { message } = problem;
    const name = pathOf(problem);
    const field = fieldOf(name, shown);
    return field === undefined ? ['', name ? `${name}: ${message}` : message] : [field, message];
  });
  // The first message of each: further ones are mostly its consequences.
  return Object.fromEntries(found.reverse());
}

/** The field of a form at which a problem is shown: its own, or the one that has all of what is wrong. */
function fieldOf(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? name : known.find((field) => name.startsWith(`${field}.`));
}
