import { Pool } from 'undici';
import type { Front } from './proxies.ts';

const CONNECTIONS = 256;
/** As long as a person waits for a link, and a program for an answer. */
const PATIENCE_MS = 30_000;

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface Answer {
  /** 0: there was none. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Why there was no answer, such as ECONNRESET; otherwise the status. */
  kind: string;
}

interface Hosts {
  web: string;
  links: string;
  key: string;
  /** A publishable one. */
  appKey: string;
}

/** Those who use the installation from outside, through its proxy: people who follow links, and programs with a key. */
export class Customers {
  readonly #hosts: Hosts;
  readonly #web: Pool;
  readonly #links: Pool;

  constructor(front: Front, hosts: Hosts) {
    this.#hosts = hosts;
    const poolOf = (servername: string) =>
      new Pool(`${front.isTls ? 'https' : 'http'}://127.0.0.1:${front.port}`, {
        connections: CONNECTIONS,
        headersTimeout: PATIENCE_MS,
        bodyTimeout: PATIENCE_MS,
        // The proxies make their own certificates.
        connect: { servername, rejectUnauthorized: false, timeout: PATIENCE_MS },
      });
    this.#web = poolOf(hosts.web);
    this.#links = poolOf(hosts.links);
  }

  /** Follows a link as a person who comes from that referrer. Never throws. */
  follow(slug: string, { referrer, address }: { referrer: string; address: string }): Promise<Answer> {
    const headers = {
      host: this.#hosts.links,
      'user-agent': AGENT,
      referer: `https://${referrer}/`,
      'x-forwarded-for': address,
    };
    return ask(this.#links, { method: 'GET', path: `/${slug}`, headers });
  }

  /** Asks the REST API. Never throws. */
  ask(method: string, below: string, { body, key }: { body?: unknown; key?: string } = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const headers = {
      host: this.#hosts.web,
      authorization: `Bearer ${this.#hosts.key}`,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    return ask(this.#web, { method, path: `/api/v1${below}`, headers, ...(body === undefined ? {} : { body: text }) });
  }

  /** Opens an app by the URL of a link, on a phone with an install of its own. Never throws. */
  open(url: string, installId: string): Promise<Answer> {
    const headers = { host: this.#hosts.web, 'x-svc-key': this.#hosts.appKey, 'content-type': 'application/json' };
    const device = { platform: 'android', os_version: '14', language: 'en-GB' };
    const body = JSON.stringify({ install_id: installId, first_open: true, ...device, url });
    return ask(this.#web, { method: 'POST', path: '/v1/sdk/open', headers, body });
  }

  /** The same as `ask`, for what must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  async call(method: string, below: string, body?: unknown): Promise<any> {
    const answer = await this.ask(method, below, { body });
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${below}: ${answer.kind} ${answer.body.slice(0, 500)}`);
    return answer.body === '' ? null : JSON.parse(answer.body);
  }

  async close(): Promise<void> {
    await Promise.all([this.#web.destroy(), this.#links.destroy()]);
  }
}

async function ask(pool: Pool, request: Parameters<Pool['request']>[0]): Promise<Answer> {
  try {
    const { statusCode, headers, body } = await pool.request(request);
    const text = await body.text();
    return { status: statusCode, headers, body: text, kind: kindOf(statusCode, text) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { status: 0, headers: {}, body: '', kind: code ?? message };
  }
}

/** The pages of errors of HAProxy and Caddy have words of their own, or none. */
function kindOf(status: number, body: string): string {
  if (status < 500) return String(status);
  const isOurs = body !== '' && !/No server is available|server returned an invalid|server didn't respond/.test(body);
  return isOurs ? String(status) : `${status} of the proxy`;
}
