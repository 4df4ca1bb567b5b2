import type { UseFormReturnType } from '@mantine/form';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { language } from '../kernel/language.ts';
import { timezone } from '../kernel/times.ts';
import { dayIn } from '../kernel/zones.ts';
import { t } from '../texts/index.ts';
import { showProblems } from './formErrors.ts';

/** As `showProblems`, but says until when somebody has to wait who has tried too often. */
export function attemptProblems<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values> | null,
  error: unknown,
): string[] {
  if (error instanceof GraphqlError && error.code === 'rate_limited' && error.retryAfterSeconds !== null) {
    return [waitText(error.retryAfterSeconds)];
  }
  if (error instanceof GraphqlError && error.code === 'unreachable') return [t.common.away];
  return form ? showProblems(form, error) : [(error as Error).message];
}

function waitText(seconds: number): string {
  const now = Date.now();
  // A whole minute more, so that nobody comes too early by the seconds that a clock does not show.
  const end = new Date(now + (seconds + 59) * 1000);
  const timeZone = timezone();
  const isToday = dayIn(timeZone, now) === dayIn(timeZone, end.getTime());
  const time = new Intl.DateTimeFormat(language, {
    timeStyle: 'short',
    timeZone,
    ...(isToday ? {} : { dateStyle: 'medium' }),
  });
  return t.common.tooMany(time.format(end), Math.ceil(seconds / 60));
}
