import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constructEvents } from '../../../sdk/webhooks/index.ts';

/** How a webhook is set: each event alone, or many in one request. */
export type Way = 'plain' | 'batch';
export const WAYS: readonly Way[] = ['plain', 'batch'];

interface Endpoint {
  secret: string;
  webhookId: string;
}

/** A customer's receiver of webhooks, which believes only what is signed. */
export class Receiver {
  /** Ids of events by what they are about: the referrer of a click, the id of a created link. */
  readonly told: Record<Way, Map<string, Set<string>>> = { plain: new Map(), batch: new Map() };
  /** Requests whose signature was wrong. */
  refused = 0;
  /** Events that came again. */
  repeated = 0;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #server = createServer((request, response) => this.#receive(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  urlOf(way: Way): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${way}`;
  }

  expect(way: Way, endpoint: Endpoint): void {
    this.#endpoints.set(way, endpoint);
  }

  webhookId(way: Way): string {
    return this.#endpoints.get(way)?.webhookId ?? '';
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const way = request.url?.slice(1) as Way;
      try {
        const secret = this.#endpoints.get(way)?.secret ?? '';
        const events = constructEvents(Buffer.concat(chunks), request.headers['svc-signature'], secret);
        for (const event of events) this.#note(way, event);
        response.end('ok');
      } catch {
        this.refused += 1;
        response.writeHead(400).end();
      }
    });
  }

  #note(way: Way, { id, type, data }: { id: string; type: string; data: Record<string, unknown> }): void {
    const { click, link } = data as { click?: { referrer_host: string }; link: { id: string } };
    const subject = type === 'link.clicked' ? String(click?.referrer_host) : link.id;
    const ids = this.told[way].get(subject) ?? new Set();
    if (ids.has(id)) this.repeated += 1;
    this.told[way].set(subject, ids.add(id));
  }
}
