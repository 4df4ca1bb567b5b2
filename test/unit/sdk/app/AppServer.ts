import type { IncomingMessage, ServerResponse } from 'node:http';
import { Loopback } from '../../../support/loopback.ts';
import { until } from '../../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
type Json = any;

export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: Json;
  bytes: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it is, else JSON. */
  body?: unknown;
}

/** `hang`: no answer at all; `cut`: the connection ends. */
type Play = Reply | 'hang' | 'cut' | ((asked: Asked) => Reply | Promise<Reply>);

export const LINK = {
  id: 'lnk_1',
  slug: 'spring',
  domain: 'go.example.com',
  short_url: 'https://go.example.com/spring',
  destination: 'https://www.example.com/spring',
  data: { product_id: 42, nested_thing: { is_new: true } },
};

/** The answer to an opening; `link` null: without a match. */
export function opened(link: typeof LINK | null = null, factor = 'address'): Reply {
  const none = { matched: false, method: 'none', confidence: 0, guaranteed: false, clicked_at: null };
  const sure = { matched: true, method: 'referrer', confidence: 100, guaranteed: true };
  const match = link ? { ...sure, clicked_at: '2026-11-20T08:00:00.000Z' } : none;
  return { body: { open_id: 'opn_1', match: { ...match, factors: [{ name: factor, points: 0 }] }, link } };
}

export function refusal(status: number, code: string, fields?: { path: string; message: string }[]): Reply {
  return { status, body: { error: { code, message: `Refused: ${code}.`, request_id: 'req_1', fields } } };
}

/** Plays the SDK endpoints of api.md §6, as well-behaved as it is told to be. */
export class AppServer {
  readonly asked: Asked[] = [];
  origin = '';
  private readonly loopback = new Loopback();
  private readonly plays = new Map<string, Play[]>();

  async start(): Promise<this> {
    this.origin = `http://127.0.0.1:${await this.loopback.http((request, response) => this.answer(request, response))}`;
    return this;
  }

  stop(): Promise<void> {
    return this.loopback.close();
  }

  forget(): void {
    this.asked.length = 0;
    this.plays.clear();
  }

  /** What the next requests for a path get, one each; then it behaves again. */
  next(path: string, ...plays: Play[]): void {
    this.plays.set(path, [...(this.plays.get(path) ?? []), ...plays]);
  }

  to(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path === `/v1/sdk${path}`);
  }

  /** Waits for the n-th request for a path, from 1. */
  async request(path: string, number = 1): Promise<Asked> {
    return until(() => this.to(path)[number - 1], `request ${number} for ${path}`, 5000);
  }

  /** Names of the events that came, in the order in which they came. */
  get names(): string[] {
    return this.to('/event').flatMap(({ body }) => body.events.map(({ name }: { name: string }) => name));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'X-SVC-Key, Content-Type');
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { url = '', headers } = request;
    const asked = { path: url, headers, body: JSON.parse(text || '{}'), bytes: Buffer.byteLength(text) };
    this.asked.push(asked);
    const play = this.plays.get(url.replace('/v1/sdk', ''))?.shift() ?? ((given: Asked) => wellBehaved(given));
    if (play === 'hang') return;
    if (play === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers: more = {}, body = '' } = typeof play === 'function' ? await play(asked) : play;
    response.writeHead(status, { 'Content-Type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

function wellBehaved({ path, body }: Asked): Reply {
  if (path.endsWith('/open')) return opened();
  if (path.endsWith('/resolve')) return { body: { link: null } };
  return { status: 202, body: { accepted: body.events.length, duplicates: 0 } };
}
