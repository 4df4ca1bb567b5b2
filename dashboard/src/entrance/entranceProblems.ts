import type { UseFormReturnType } from '@mantine/form';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { language } from '../kernel/language.ts';
import { t } from '../texts/index.ts';
import { showProblems } from '../ui/formErrors.ts';

const clockTime = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dayAndTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** As `showProblems`, but says until when somebody has to wait who has tried too often. */
export function entranceProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values> | null,
  error: unknown,
  root = 'input',
): string[] {
  if (error instanceof GraphqlError && error.code === 'rate_limited' && error.retryAfterSeconds !== null) {
    return [waitText(error.retryAfterSeconds)];
  }
  if (error instanceof GraphqlError && error.code === 'unreachable') return [t.entrance.away];
  return form ? showProblems(form, error, root) : [(error as Error).message];
}

function waitText(seconds: number): string {
  const now = Date.now();
  // A whole minute more, so that nobody comes too early by the seconds that a clock does not show.
  const end = new Date(now + (seconds + 59) * 1000);
  const isToday = new Date(now).toDateString() === end.toDateString();
  return t.entrance.tooMany((isToday ? clockTime : dayAndTime).format(end), Math.ceil(seconds / 60));
}
