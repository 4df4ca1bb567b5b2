/** What other features may use of webhooks. */
export { failureOf } from './request/AttemptOutcome.tsx';
export { SendTest } from './sending/SendTest.tsx';
export { WebhookChip } from './state/chips.tsx';
