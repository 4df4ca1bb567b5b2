import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

export interface Received {
  headers: IncomingMessage['headers'];
  /** As it came. */
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every type
  event: any;
  atMs: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Waits for the first request for which `wanted` holds. */
  waitFor(wanted: (received: Received) => boolean, what: string, withinMs?: number): Promise<Received>;
  close(): Promise<void>;
}

type Respond = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** A receiver of webhooks on loopback; answers 200 unless `respond` does otherwise. */
export async function startReceiver(respond: Respond = (_, response) => response.end('ok')): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const entry = { headers: request.headers, body, event: JSON.parse(body), atMs: Date.now() };
      received.push(entry);
      respond(request, response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    waitFor: (wanted, what, withinMs) => until(() => received.find(wanted), what, withinMs),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
