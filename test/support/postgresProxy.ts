import type { AddressInfo } from 'node:net';
import { createServer, connect as open, type Socket } from 'node:net';

/** An error that the proxy sends once instead of what the server would answer. */
export interface Fault {
  code: string;
  severity: 'ERROR' | 'FATAL';
  /**
   * - `connect`: instead of accepting a session.
   * - `opened`: in one packet with the message that the session is open.
   * - `statement`: instead of running a statement in which `mark` stands.
   * - `commit`: instead of committing a transaction in which `mark` stood.
   * - `committed`: after it was committed, instead of saying so.
   */
  at: 'connect' | 'opened' | 'statement' | 'commit' | 'committed';
  mark?: string;
}

export interface PostgresProxy {
  /** The address of the database behind the proxy. */
  url: string;
  /** Sends this error at the next occasion, and nothing else of before. */
  fail(fault: Fault): void;
  /** How many errors were sent. */
  sent(): number;
  /** Ends every session that has nothing to do, with this error. Returns how many there were. */
  endIdle(code: string): number;
  close(): Promise<void>;
}

/** A proxy that speaks PostgreSQL's protocol, in front of the server of `databaseUrl`. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sessions = new Set<Session>();
  let fault: Fault | null = null;
  let sent = 0;
  const take = (fits: (fault: Fault) => boolean) => {
    if (!fault || !fits(fault)) return null;
    const taken = fault;
    fault = null;
    sent += 1;
    return taken;
  };
  const server = createServer((client) => {
    const session = new Session(client, open(Number(target.port || 5432), target.hostname), take);
    sessions.add(session);
    client.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fail(next) {
      fault = next;
    },
    sent: () => sent,
    endIdle(code) {
      const idle = [...sessions].filter((session) => session.isIdle);
      for (const session of idle) session.end({ code, severity: 'FATAL' });
      return idle.length;
    },
    async close() {
      for (const session of sessions) session.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Take = (fits: (fault: Fault) => boolean) => Fault | null;

const TYPE_BYTES = 1;
/** Messages that a client sends together, up to Sync. */
const PARTS = new Set(['P', 'B', 'D', 'E', 'C', 'H']);

class Session {
  isIdle = false;
  #isOpen = false;
  /** What was sent since the transaction began. */
  #seen = '';
  #batch: Buffer[] = [];
  /** Called instead of passing on the next answers of the server, with each of their messages. */
  #swallow: ((type: string) => void) | null = null;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly take: Take,
  ) {
    for (const socket of [client, server]) {
      // Each message of a conversation would wait for an acknowledgement.
      socket.setNoDelay(true);
      socket.on('error', () => this.cut());
      socket.on('close', () => this.cut());
    }
    client.on(
      'data',
      messages((type, message) => this.#fromClient(type, message), { hasStart: true }),
    );
    server.on(
      'data',
      messages((type, message) => this.#fromServer(type, message), { hasStart: false }),
    );
  }

  cut(): void {
    this.client.destroySoon();
    this.server.destroy();
  }

  end(error: Pick<Fault, 'code' | 'severity'>, before: Buffer[] = []): void {
    this.isIdle = false;
    this.client.end(Buffer.concat([...before, errorMessage(error)]));
    this.server.destroy();
  }

  #fromClient(type: string, message: Buffer): void {
    this.isIdle = false;
    if (type === '') {
      const fault = this.take(({ at }) => at === 'connect');
      if (fault) return void this.end(fault);
    }
    if (PARTS.has(type)) return void this.#batch.push(message);
    const batch = Buffer.concat([...this.#batch, message]);
    this.#batch = [];
    if (type !== 'Q' && type !== 'S') return void this.server.write(batch);
    this.#send(batch.toString('latin1'), batch);
  }

  #send(text: string, batch: Buffer): void {
    if (/START TRANSACTION|BEGIN/.test(text)) this.#seen = '';
    this.#seen += text;
    const isCommit = /^Q.{4}COMMIT/s.test(text);
    const stands = (within: string, { mark }: Fault) => mark !== undefined && within.includes(mark);
    const fault = this.take((next) =>
      isCommit
        ? (next.at === 'commit' || next.at === 'committed') && stands(this.#seen, next)
        : next.at === 'statement' && stands(text, next),
    );
    if (!fault) return void this.server.write(batch);
    if (fault.at !== 'committed' && fault.severity === 'FATAL') return void this.end(fault);
    if (fault.at === 'statement') {
      const state = /START TRANSACTION|BEGIN/.test(this.#seen) && !/COMMIT|ROLLBACK/.test(this.#seen) ? 'E' : 'I';
      return void this.client.write(Buffer.concat([errorMessage(fault), ready(state)]));
    }
    // A server that refuses a COMMIT rolls back.
    this.server.write(fault.at === 'committed' ? batch : query('ROLLBACK'));
    this.#swallow = (type) => {
      if (type !== 'Z') return;
      this.#swallow = null;
      if (fault.severity === 'FATAL') this.end(fault);
      else this.client.write(Buffer.concat([errorMessage(fault), ready('I')]));
    };
  }

  #fromServer(type: string, message: Buffer): void {
    if (this.#swallow) return void this.#swallow(type);
    const isReady = type === 'Z';
    if (isReady && !this.#isOpen) {
      this.#isOpen = true;
      const fault = this.take(({ at }) => at === 'opened');
      if (fault) return void this.end(fault, [message]);
    }
    if (isReady) this.isIdle = message.at(-1) === 'I'.charCodeAt(0);
    this.client.write(message);
  }
}

/** Calls `hear` with each message of a stream; the first one of a client has no type. */
function messages(hear: (type: string, message: Buffer) => void, { hasStart }: { hasStart: boolean }) {
  let rest = Buffer.alloc(0);
  let isFirst = hasStart;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isFirst ? 0 : TYPE_BYTES;
      if (rest.length < typeBytes + 4) return;
      const length = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = isFirst ? '' : String.fromCharCode(message[0] as number);
      isFirst = false;
      hear(type, message);
    }
  };
}

function typed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function errorMessage({ code, severity }: Pick<Fault, 'code' | 'severity'>): Buffer {
  const fields = { S: severity, V: severity, C: code, M: `played ${code}` };
  const text = Object.entries(fields).map(([name, value]) => `${name}${value}\0`);
  return typed('E', Buffer.from(`${text.join('')}\0`));
}

function ready(state: 'I' | 'E'): Buffer {
  return typed('Z', Buffer.from(state));
}

function query(sql: string): Buffer {
  return typed('Q', Buffer.from(`${sql}\0`));
}
