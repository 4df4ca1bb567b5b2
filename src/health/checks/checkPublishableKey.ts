import { clock, DAY_MS } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import type { CheckResult } from '../findings.ts';
import type { CheckSubject } from '../readSubject.ts';

/** Whether the project's apps use a publishable key. If not, the message says when one was last used. */
export function checkPublishableKey({ apps, publishableKeys }: CheckSubject): CheckResult {
  if (apps.length === 0) return { status: 'skip', message: 'The project has no apps.' };
  if (publishableKeys.count === 0) {
    const message = 'The project has apps but no publishable key: create one, and pass it to the SDK in the apps.';
    return { status: 'warn', message };
  }
  const { lastUsedAt } = publishableKeys;
  if (lastUsedAt === null) {
    const message =
      'No app has used a publishable key yet: make sure that the SDK is initialized with a key of this project.';
    return { status: 'warn', message };
  }
  if (clock.now() - lastUsedAt.getTime() <= config.unusedKeyDays * DAY_MS) {
    return { status: 'pass', message: 'Apps use a publishable key.' };
  }
  const since = lastUsedAt.toISOString();
  const message = `No app has used a publishable key since ${since}: make sure that the current version of the app contains the SDK and the key.`;
  return { status: 'warn', message };
}
