import type { UseFormReturnType } from '@mantine/form';
import { codeOf } from '../kernel/GraphqlError.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';

/** As `attemptProblems`, for a form whose only proof is the field `name`: what was wrong with it stands there. */
export function proofProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: Error,
  name: keyof Values & string,
): string[] {
  if (codeOf(error) !== 'invalid_credentials') return attemptProblems(form, error);
  form.setFieldError(name, error.message);
  requestAnimationFrame(() => form.getInputNode(name)?.focus());
  return [];
}
