import { until } from '../../../test/support/until.ts';
import type { Installation } from './Installation.ts';

const RECOVERY_MS = 120_000;

/** Plays a fault that ends when `play` resolves, and says how much later the API answered again. */
export async function withRecovery(installation: Installation, play: () => Promise<string>): Promise<string> {
  const told = await play();
  const endedAt = performance.now();
  const answers = async () => (await installation.customers.ask('GET', '/links?limit=1')).status === 200;
  await until(answers, 'the API to answer again', RECOVERY_MS);
  return `${told}; the API answered ${((performance.now() - endedAt) / 1000).toFixed(1)} s after that`;
}
