/** What other features may use of webhooks. */
export { SendTest } from './sending/SendTest.tsx';
