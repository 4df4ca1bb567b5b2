import type { UseFormReturnType } from '@mantine/form';
import { codeOf } from '../kernel/GraphqlError.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';

/**
 * As `attemptProblems`, for a form whose proof is the field `name`: what was wrong with it stands there, unless it may have been
 * the code that the form asks for, too.
 */
export function proofProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: Error,
  name: keyof Values & string,
  asksCode = false,
): string[] {
  if (asksCode || codeOf(error) !== 'invalid_credentials') return attemptProblems(form, error);
  form.setFieldError(name, error.message);
  requestAnimationFrame(() => form.getInputNode(name)?.focus());
  return [];
}
