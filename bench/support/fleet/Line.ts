import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Said {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request after the other over one connection, with headers of one's own. */
export class Line {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly origin: string) {}

  ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Said> {
    const { promise, resolve, reject } = Promise.withResolvers<Said>();
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const asked = request(
      new URL(path, this.origin),
      { method, agent: this.#agent, headers: { ...headers, ...length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
