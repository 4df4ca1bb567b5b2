import { type CheckResult, firstFew, shortened } from '../findings.ts';
import type { CheckSubject, WatchedWebhook } from '../readSubject.ts';

/** A single failed attempt says nothing about a receiver. */
const FAILING_AFTER = 2;

/** Whether the project's webhooks are enabled, and whether their receivers accept deliveries. */
export function checkWebhooks({ webhooks }: CheckSubject): CheckResult {
  if (webhooks.length === 0) return { status: 'skip', message: 'The project has no webhooks.' };
  const disabled = webhooks.filter(
    ({ status, disabledReason }) => status === 'disabled' && disabledReason !== 'manual',
  );
  if (disabled.length > 0) return { status: 'fail', message: firstFew(disabled.map(disabledMessage)) };
  const failing = webhooks.filter(isFailing);
  if (failing.length > 0) return { status: 'warn', message: firstFew(failing.map(failingMessage)) };
  return { status: 'pass', message: 'All webhooks work.' };
}

function isFailing({ status, circuit, consecutiveFailures }: WatchedWebhook): boolean {
  return status === 'enabled' && (circuit === 'open' || consecutiveFailures >= FAILING_AFTER);
}

function disabledMessage({ url, id }: WatchedWebhook): string {
  return `${shortened(url)} (${id}) was disabled because its deliveries failed: fix the receiver, then enable the webhook.`;
}

function failingMessage({ url, id, consecutiveFailures }: WatchedWebhook): string {
  const times = `failed ${consecutiveFailures} times in a row`;
  return `${shortened(url)} (${id}) ${times}: look at its deliveries, and fix the receiver before the webhook is disabled.`;
}
