import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';

const certificate = (part: string) => readFileSync(new URL(`./certs/self-signed.${part}.pem`, import.meta.url), 'utf8');

/** Called with each socket once the head of a request has come; counts from 1. */
export type Respond = (socket: Socket, connection: number, request: number) => void;

/** Real servers on 127.0.0.1, well-behaved or not, that all end with `close`. Each method gives the port. */
export class Loopback {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  http(answer: RequestListener): Promise<number> {
    return this.#listen(createHttpServer(answer));
  }

  /** With a self-signed certificate for localhost and 127.0.0.1. */
  https(answer: RequestListener, options: tls.TlsOptions = {}): Promise<number> {
    return this.#listen(createHttpsServer({ key: certificate('key'), cert: certificate('crt'), ...options }, answer));
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

  /** A port that nobody listens on any more. */
  async closedPort(): Promise<number> {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await Promise.all(this.#servers.splice(0).map((server) => server.close() && once(server, 'close')));
  }

  async #listen(server: Server): Promise<number> {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    });
    this.#servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
}

const systemAuthorities = tls.getCACertificates('default');

/** Makes this process trust the self-signed certificate of `Loopback`, or no longer. */
export function trustSelfSigned(trust: boolean): void {
  tls.setDefaultCACertificates(trust ? [...systemAuthorities, certificate('crt')] : systemAuthorities);
}
