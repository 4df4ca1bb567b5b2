import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode, type RecordType } from 'dns-packet';

/** Addresses (none: the name is there, but not for this family), or what goes wrong; `silence` is no answer at all. */
export type Says = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence';

/** What is said of a name, for each family; what is left out is no address. */
export interface Zone {
  A?: Says;
  AAAA?: Says;
  /** Texts, each one record. */
  TXT?: Says;
  /** The name that this one stands for; what is asked of it follows in the answer. */
  CNAME?: string;
}

const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** A real name server on 127.0.0.1. Names that it was not told of do not exist. */
export class NameServer {
  readonly zones: Record<string, Zone> = {};
  /** Every question as it came, such as `A hooks.example.com`. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, { port, address }) => {
      const answer = this.#answer(message);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  /** As `createResolver` takes it. */
  get servers(): string[] {
    return [`127.0.0.1:${this.#socket.address().port}`];
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(message: Buffer): Buffer | null {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return null;
    const { name, type } = question;
    this.asked.push(`${type} ${name}`);
    const { alias, aliases } = this.#follow(name);
    const says = type === 'CNAME' ? [] : this.#says(alias, type);
    if (says === 'silence') return null;
    const [code, found] = Array.isArray(says) ? [0, says] : [CODES[says], []];
    const answers = [...aliases, ...found.map((data) => ({ name: alias, type, ttl: 300, data }) as Answer)];
    return encode({ type: 'response', id, flags: code, questions, answers });
  }

  #follow(name: string) {
    const aliases: Answer[] = [];
    let alias = name;
    for (let next = this.zones[alias.toLowerCase()]?.CNAME; next; next = this.zones[alias.toLowerCase()]?.CNAME) {
      aliases.push({ name: alias, type: 'CNAME', ttl: 300, data: next });
      alias = next;
    }
    return { alias, aliases };
  }

  #says(name: string, type: RecordType): Says {
    const zone = this.zones[name.toLowerCase()];
    if (!zone) return 'NXDOMAIN';
    return (type === 'A' || type === 'AAAA' || type === 'TXT' ? zone[type] : undefined) ?? [];
  }
}
