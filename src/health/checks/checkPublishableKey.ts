import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import type { CheckResult } from '../Check.ts';
import type { Subject } from '../readSubject.ts';

/** Whether the apps of the project tell of themselves, or since when none does. */
export function checkPublishableKey({ apps, publishableKeys }: Subject): CheckResult {
  if (apps.length === 0) return { status: 'skip', message: 'The project has no apps.' };
  if (publishableKeys.count === 0) {
    const message = 'There are apps and no publishable key: make one, and give it to the SDK in the apps.';
    return { status: 'warn', message };
  }
  const { lastUsedAt } = publishableKeys;
  if (lastUsedAt === null) {
    const message = 'No app has used a publishable key yet: see that the SDK starts with the key of this project.';
    return { status: 'warn', message };
  }
  if (clock.now() - lastUsedAt.getTime() <= config.silentKeyDays * DAY_MS) {
    return { status: 'pass', message: 'Apps use a publishable key.' };
  }
  const since = lastUsedAt.toISOString();
  const message = `No app has used a publishable key since ${since}: see that its current version has the SDK and the key.`;
  return { status: 'warn', message };
}
