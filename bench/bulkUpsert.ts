import 'reflect-metadata';
import type { Api } from '../test/support/api.ts';
import { startWorld } from '../test/support/world.ts';
import { option, print } from './support/product.ts';

/**
 * Links by the second through calls of 1,000, over HTTP and one after the other: POST /links/bulk beside creations, changes
 * and repeats of PUT /links/bulk, and single upserts. The store is that of STORE.
 *
 *   STORE=sqlite|postgres npm run bench -- bulkUpsert [links=10000]
 */
const links = Number(option('links', '10000'));
const PER_CALL = 1000;
const SINGLES = 100;

const world = await startWorld();
const rows = (path: string, tags: string[]) =>
  Array.from({ length: links }, (_, at) => ({
    external_id: `bench/${at}`,
    destination: `https://www.example.com/${path}/${at}`,
    title: `Link ${at}`,
    tags,
    managed_by: 'code:bench',
  }));
const plain = rows('plain', ['one', 'two']).map(({ external_id: _, ...row }) => row);

await measure('POST /links/bulk', plain, (part) => call('POST', part));
await measure('PUT /links/bulk, all new', rows('a', ['one', 'two']), (part) => call('PUT', part));
await measure('PUT /links/bulk, all changed', rows('b', ['one', 'two']), (part) => call('PUT', part));
await measure('PUT /links/bulk, all changed with their tags', rows('c', ['two', 'three']), (part) => call('PUT', part));
await measure('PUT /links/bulk, all unchanged', rows('c', ['two', 'three']), (part) => call('PUT', part));
const singles = rows('d', ['two', 'three']).slice(0, SINGLES);
await measure('PUT /links/external/{external_id}, changed', singles, async (part) => {
  for (const { external_id, ...body } of part) {
    await world.api('PUT', `/links/external/${encodeURIComponent(external_id)}`, body);
  }
});
await world.stop();

async function call(method: Parameters<Api>[0], part: object[]): Promise<void> {
  const { status, body } = await world.api(method, '/links/bulk', { links: part });
  if (status !== 200 || body.counts.failed > 0) throw new Error(JSON.stringify(body).slice(0, 500));
}

async function measure<Row>(what: string, all: Row[], send: (part: Row[]) => Promise<void>): Promise<void> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (let from = 0; from < all.length; from += PER_CALL) await send(all.slice(from, from + PER_CALL));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const perLink = (user + system) / all.length;
  print(
    `${what.padEnd(48)} ${(all.length / seconds).toFixed(0).padStart(6)} links/s, ${perLink.toFixed(0)} µs of CPU each`,
  );
}
