import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `/ok` counts requests, `/lag` notes how late an event comes, `/slow` counts events and answers after 60 ms, `/hang` never
 * answers. Told by messages what to do and asked what it saw.
 */
const SLOW_MS = 60;

let isDown = false;
let counted = fresh();

function fresh() {
  return { ok: 0, requests: 0, firstAtMs: 0, lastAtMs: 0, lags: [] as number[], sample: null as unknown };
}

const server = createServer((request, response) => {
  if (request.url === '/hang') return request.resume();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (isDown) return response.writeHead(500).end();
    if (request.url === '/slow')
      return setTimeout(() => answerSlowly(response, Buffer.concat(chunks).toString()), SLOW_MS);
    response.end('ok');
    const nowMs = Date.now();
    if (request.url === '/ok') {
      counted.ok += 1;
      counted.firstAtMs ||= nowMs;
      counted.lastAtMs = nowMs;
      const { 'content-length': _, connection: __, host: ___, ...headers } = request.headers;
      counted.sample ??= { headers, body: Buffer.concat(chunks).toString() };
    } else {
      counted.lags.push(nowMs - Date.parse(JSON.parse(Buffer.concat(chunks).toString()).created_at));
    }
  });
});
/** A batch counts as its events. */
function answerSlowly(response: ServerResponse, body: string): void {
  response.end('ok');
  const { events } = JSON.parse(body) as { events?: unknown[] };
  counted.ok += events?.length ?? 1;
  counted.requests += 1;
  counted.lastAtMs = Date.now();
}

server.listen(0, '127.0.0.1');

const ANSWERS: Record<string, (value: string) => unknown> = {
  port: () => (server.address() as AddressInfo).port,
  mode: (value) => {
    isDown = value === 'down';
    return true;
  },
  reset: () => {
    counted = fresh();
    return true;
  },
  counted: () => counted,
};
process.on('message', ({ what, value = '' }: { what: string; value?: string }) =>
  process.send?.(ANSWERS[what]?.(value)),
);
process.on('disconnect', () => process.exit());
