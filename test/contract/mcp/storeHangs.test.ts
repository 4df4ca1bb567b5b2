// stores: postgres
import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { type Product, startProduct } from '../../../app/product.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { type HeldLine, holdableLine } from '../../support/holdableLine.ts';
import { type Assistant, connect } from '../../support/mcp/client.ts';
import { makeStore, STORE, type Store } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

/** Beyond the two seconds of the contract, for machines that are busy. */
const LATE_MS = 3000;

describe('MCP: a store that hangs', () => {
  let store: Store;
  let line: HeldLine;
  let product: Product;
  let assistant: Assistant;

  before(async function () {
    this.timeout(300_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
    store = await makeStore();
    line = await holdableLine(String(store.env.DATABASE_URL));
    const env = { ...store.env, DATABASE_URL: line.url, DATABASE_POOL_SIZE: '4' };
    loadConfig({ LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', ALLOW_PRIVATE_TARGETS: 'true', ...env });
    let key = '';
    product = await startProduct({ onFirstStart: ({ secretKey }) => (key = secretKey) });
    assistant = await connect(`http://127.0.0.1:${product.port}`, key);
    await assistant.ask('get_context');
  });
  after(async () => {
    line?.release();
    await assistant?.close();
    await product?.stop();
    await line?.close();
    await store?.remove();
  });

  it('is told within two seconds, and works again afterwards', async function () {
    this.timeout(120_000);
    await delay(1500);
    line.hold();
    const startedAt = performance.now();
    const outcome = await assistant.call('find_links').then(
      ({ isError, content }) => (isError ? content[0].text : 'found'),
      (error: Error) => error.message,
    );
    assert.match(outcome, /unavailable|cannot be reached|503/i);
    assert.ok(performance.now() - startedAt < 2000 + LATE_MS);
    line.release();
    await until(
      () =>
        assistant.ask('find_links').then(
          () => true,
          () => false,
        ),
      'tools to work again',
    );
  });
});
