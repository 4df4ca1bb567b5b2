import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where links lead; answers with `status`. */
export class Site {
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (_request, response) => response.writeHead(this.status).end());
  }

  static async start(): Promise<Site> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Site(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/shop`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
