import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attachCoverage } from './support/coverage.ts';
import { openingOf } from './support/loadSdk.ts';
import { option, print, startProduct } from './support/product.ts';

/**
 * How many files of the product have code that runs for one warm request of each kind, by V8's coverage of the process,
 * without the files that run while nothing is asked. A file more is a file that whoever follows the request has to open.
 *
 *   npm run bench -- files [list=true]
 */
const PORT = 3887;
const INSPECTOR_PORT = 39_229;
const ORIGIN = `http://127.0.0.1:${PORT}`;
/** Longer than a batch of clicks waits for its way into the store, and a delivery for its attempt. */
const AFTERMATH_MS = 4000;
/** No check of a project begins of itself while files are counted. */
const QUIET = { HEALTH_CHECK_SECONDS: '86400' };
const list = option('list', 'false') === 'true';

const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const product = await startProduct('sqlite', {
  port: PORT,
  database: 'svc_bench_files',
  env: { ...QUIET, ALLOW_PRIVATE_TARGETS: 'true', NODE_OPTIONS: `--inspect=127.0.0.1:${INSPECTOR_PORT}` },
});
try {
  const coverage = await attachCoverage(INSPECTOR_PORT);
  const { data } = await product.call('GET', '/keys');
  const { key } = data.find(({ kind }: { kind: string }) => kind === 'publishable');
  const link = await product.call('POST', '/links', { destination: 'https://www.example.com/' });
  const slug = new URL(link.short_url).pathname;
  const create = () => product.call('POST', '/links', { destination: 'https://www.example.com/' });
  const follow = () => fetch(ORIGIN + slug, { redirect: 'manual' }).then((answer) => answer.text());
  const open = () =>
    fetch(`${ORIGIN}/v1/sdk/open`, {
      method: 'POST',
      headers: { 'X-SVC-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(openingOf()),
    }).then((answer) => answer.text());

  await warmUp([create, follow, open]);
  await coverage.reset();
  await delay(AFTERMATH_MS);
  const idle = await coverage.filesRun();
  print(`files that run while nothing is asked: ${idle.size}`);
  const measure = async (name: string, ask: () => Promise<unknown>, afterMs: number, without = idle) => {
    await coverage.reset();
    await ask();
    await delay(afterMs);
    const files = await coverage.filesRun();
    const own = [...files].filter((file) => !without.has(file)).sort();
    print(`${name}: ${own.length}`);
    if (list) for (const file of own) print(`    ${file}`);
    return new Set([...idle, ...files]);
  };
  await measure('link creation, POST /api/v1/links', create, 20);
  await measure('redirect, GET /:slug', follow, 20);
  await measure('opening of an app, POST /v1/sdk/open', open, 20);
  const change = () => product.call('PATCH', `/links/${link.id}`, { data: { at: randomUUID() } });
  await warmUp([change]);
  const withoutWebhook = await measure('change of a link, PATCH /api/v1/links/{id}', change, AFTERMATH_MS);
  await product.call('POST', '/webhooks', {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    event_types: ['link.updated'],
  });
  await warmUp([change]);
  await delay(AFTERMATH_MS);
  await measure('delivery of that change, beyond the change itself', change, AFTERMATH_MS, withoutWebhook);
  coverage.close();
} finally {
  await product.stop();
  receiver.close();
}

async function warmUp(requests: (() => Promise<unknown>)[]): Promise<void> {
  for (let round = 0; round < 20; round += 1) for (const request of requests) await request();
}
