import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { signatureHeader } from '../../sdk/webhooks/index.ts';
import { usageError } from '../errors.ts';

/** What a receiver gets: the envelope as the server wrote it. */
export interface LocalDelivery {
  id: string;
  eventId: string;
  eventType: string;
  attempt: number;
  body: string;
}

/** How a receiver answered, or why it did not. */
export interface Outcome {
  status: number | null;
  /** Without a status: `refused`, `timeout` and so on. */
  error: string | null;
  milliseconds: number;
  /** The first characters of what was answered. */
  answer: string;
  /** What was sent, without what the connection adds. */
  headers: Record<string, string>;
}

export interface Target {
  url: URL;
  secret: string;
  /** Takes certificates that nobody signed. */
  skipsVerification: boolean;
}

/** As long as the server waits for receivers. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 4096;

/** The address of a receiver. A bare port or host is on this machine. */
export function localTarget(text: string): URL {
  const address = /^\d+$/.test(text)
    ? `http://localhost:${text}/`
    : /^https?:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const parsed = URL.parse(address);
  if (parsed) return parsed;
  throw usageError(`"${text}" is no address to forward to.`, 'Write it like http://localhost:4000/hook.');
}

/** Sends requests as the server sends deliveries, over connections that are kept. */
export class LocalSender {
  readonly #target: Target;
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;

  constructor(target: Target) {
    this.#target = target;
    this.#https = new HttpsAgent({ keepAlive: true, rejectUnauthorized: !target.skipsVerification });
  }

  /** One request; never throws. */
  async send(delivery: LocalDelivery): Promise<Outcome> {
    const headers = headersOf(delivery, this.#target.secret);
    const begunAt = performance.now();
    let result = await this.#request(headers, delivery.body);
    // The receiver had closed the connection that was kept, before it saw the request.
    if (result.isStale) result = await this.#request(headers, delivery.body);
    const { status, error, answer } = result;
    return { status, error, answer, milliseconds: Math.round(performance.now() - begunAt), headers };
  }

  #request(
    headers: Record<string, string>,
    body: string,
  ): Promise<Pick<Outcome, 'status' | 'error' | 'answer'> & { isStale: boolean }> {
    const { url } = this.#target;
    return new Promise((resolve) => {
      let hasAnswer = false;
      const end = (status: number | null, error: string | null, answer = '') => {
        clearTimeout(timer);
        resolve({ status, error, answer, isStale: error === 'reset' && asked.reusedSocket && !hasAnswer });
      };
      const isHttps = url.protocol === 'https:';
      const asked = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: isHttps ? this.#https : this.#http,
      });
      const timer = setTimeout(() => asked.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })), TIMEOUT_MS);
      asked.on('error', (error: NodeJS.ErrnoException) => end(null, reasonOf(error)));
      asked.on('response', (response) => {
        hasAnswer = true;
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          if (answer.length < MAX_ANSWER) answer += text.slice(0, MAX_ANSWER - answer.length);
        });
        response.on('end', () => end(response.statusCode ?? null, null, answer));
        response.on('error', (error: NodeJS.ErrnoException) => end(null, reasonOf(error)));
      });
      asked.end(body);
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** The headers of a delivery, as the server sends them. */
function headersOf({ id, eventId, eventType, attempt, body }: LocalDelivery, secret: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
    'Accept-Encoding': 'identity',
    'SVC-Signature': signatureHeader({ rawBody: body, secret }),
    'SVC-Event-Id': eventId,
    'SVC-Event-Type': eventType,
    'SVC-Delivery-Id': id,
    'SVC-Attempt': String(attempt),
  };
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ENOTFOUND: 'unknown host',
};

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? (/CERT|SIGNED|TLS|SSL/.test(code) ? 'certificate (--skip-verify)' : code || message);
}
