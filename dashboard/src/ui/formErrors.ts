import type { UseFormReturnType } from '@mantine/form';
import { GraphqlError } from '../kernel/GraphqlError.ts';

/**
 * Puts the problems that the server found to the fields of a form and focuses the first one. Gives the messages of those
 * that no field of the form has, to be listed above it.
 *
 * @param root where the form's values stand in the variables, such as `input`
 */
export function showProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
  root = 'input',
): string[] {
  const problems = error instanceof GraphqlError ? error.fields : [];
  if (problems.length === 0) return [(error as Error).message];
  const known = Object.keys(form.getValues());
  const found: Record<string, string> = {};
  const others: string[] = [];
  for (const { path, message } of problems) {
    const name = path.startsWith(`${root}.`) ? path.slice(root.length + 1) : path;
    const field = known.includes(name) ? name : known.find((field) => name.startsWith(`${field}.`));
    if (field === undefined) others.push(`${name}: ${message}`);
    else found[field] ??= message;
  }
  form.setErrors(found);
  const first = known.find((field) => field in found);
  // After the errors are on the page, so that the field is described by its own.
  if (first) requestAnimationFrame(() => form.getInputNode(first)?.focus());
  return others;
}
