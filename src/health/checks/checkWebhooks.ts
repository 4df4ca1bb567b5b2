import type { CheckResult } from '../Check.ts';
import { named, several } from '../findings.ts';
import type { Subject, WatchedWebhook } from '../readSubject.ts';

/** One failed attempt says nothing of a receiver. */
const FAILING_AFTER = 2;

/** Whether webhooks of the project are switched on and their receivers take what is sent. */
export function checkWebhooks({ webhooks }: Subject): CheckResult {
  if (webhooks.length === 0) return { status: 'skip', message: 'The project has no webhooks.' };
  const disabled = webhooks.filter(
    ({ status, disabledReason }) => status === 'disabled' && disabledReason !== 'manual',
  );
  if (disabled.length > 0) return { status: 'fail', message: several(disabled.map(offMessage)) };
  const failing = webhooks.filter(isFailing);
  if (failing.length > 0) return { status: 'warn', message: several(failing.map(failingMessage)) };
  return { status: 'pass', message: 'No webhook fails.' };
}

function isFailing({ status, circuit, consecutiveFailures }: WatchedWebhook): boolean {
  return status === 'enabled' && (circuit === 'open' || consecutiveFailures >= FAILING_AFTER);
}

function offMessage({ url, id }: WatchedWebhook): string {
  return `${named(url)} (${id}) was switched off because it failed: repair the receiver, then enable the webhook.`;
}

function failingMessage({ url, id, consecutiveFailures }: WatchedWebhook): string {
  const times = `failed ${consecutiveFailures} times in a row`;
  return `${named(url)} (${id}) ${times}: see its deliveries, and repair the receiver before it is switched off.`;
}
