import { startProduct } from '../../app/product.ts';
import type { FirstAccount } from '../../src/accounts/firstStart.ts';
import { loadConfig } from '../../src/kernel/config.ts';
import type { Store } from './stores.ts';

/**
 * Runs `work` with a product in this process on an empty store and stops it: what a process finds on its store later is made
 * for a third of what a start of its own takes.
 */
export async function inProcess<Result>(
  store: Store,
  settings: Record<string, string>,
  work: (product: FirstAccount & { origin: string }) => Promise<Result>,
): Promise<Result> {
  loadConfig({ LOG_LEVEL: 'silent', HOST: '127.0.0.1', ALLOW_PRIVATE_TARGETS: 'true', ...store.env, ...settings });
  let account: FirstAccount | undefined;
  const product = await startProduct({
    onFirstStart: (made) => {
      account = made;
    },
  });
  try {
    if (!account) throw new Error('The store was not empty');
    return await work({ ...account, origin: `http://127.0.0.1:${product.port}` });
  } finally {
    await product.stop();
    loadConfig({ LOG_LEVEL: 'silent' });
  }
}
