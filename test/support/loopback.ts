import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { until } from './until.ts';

/** Called with each socket once the head of a request has come; counts from 1. */
export type Respond = (socket: Socket, connection: number, request: number) => void;

/** Real servers on 127.0.0.1, well-behaved or not, that all end with `close`. Each method gives the port. */
export class Loopback {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** Those that the other side has not ended. */
  readonly #open = new Set<Socket>();

  http(answer: RequestListener): Promise<number> {
    return this.#listen(createHttpServer(answer));
  }

  https(answer: RequestListener, options: TlsOptions): Promise<number> {
    return this.#listen(createHttpsServer(options, answer));
  }

  /** `onConnection` gets each socket as it comes. */
  tcp(onConnection: (socket: Socket) => void): Promise<number> {
    return this.#listen(createTcpServer(onConnection));
  }

  rawHttp(respond: Respond): Promise<number> {
    let connections = 0;
    return this.tcp((socket) => {
      const connection = ++connections;
      let requests = 0;
      socket.on('data', (data) => data.includes('POST /') && respond(socket, connection, ++requests));
    });
  }

  get openConnections(): number {
    return this.#open.size;
  }

  /** Waits for the other side to end all its connections, also those that a server has stopped reading. */
  async allEnded(): Promise<void> {
    for (const socket of this.#sockets) socket.resume();
    await until(() => this.#open.size === 0, 'the end of all connections', 3000);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.splice(0).map((server) => server.close() && once(server, 'close')));
  }

  async #listen(server: Server): Promise<number> {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.#open.add(socket);
      const ended = () => this.#open.delete(socket);
      socket
        .on('error', () => {})
        .on('end', ended)
        .on('close', ended);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
}
