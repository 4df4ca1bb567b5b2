// stores: any
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { log } from '../../../src/kernel/log.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

const LENGTH = 200;

interface Slow {
  socket: Socket;
  received(): string;
  closed: Promise<void>;
}

describe('a body that does not arrive', () => {
  const world = useOwnWorld({ REQUEST_SECONDS: '1', UPLOAD_SECONDS: '3' });

  /** Sends a request whose body has begun. */
  const begin = (target: string, type: string, body: string): Slow => {
    const socket = connect(Number(new URL(world.origin).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: ${new URL(world.origin).host}\r\nAuthorization: Bearer ${world.secretKey}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${LENGTH}\r\n\r\n${body}`,
    );
    return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
  };
  const dripping = ({ socket }: Slow, everyMs = 100) => {
    const timer = setInterval(() => socket.write(' '), everyMs);
    socket.once('close', () => clearInterval(timer));
    return timer;
  };

  it('is 408 after REQUEST_SECONDS, and the connection is closed', async () => {
    for (const target of ['/api/v1/links', '/graphql']) {
      const slow = begin(target, 'application/json', '{');
      dripping(slow);
      await slow.closed;
      expect(slow.received(), target).to.match(/^HTTP\/1\.1 408 /);
      expect(slow.received()).to.match(/\r\nConnection: close\r\n/i);
      expect(slow.received()).to.include('"code":"request_timeout"');
    }
  });

  it('is given UPLOAD_SECONDS where it is the file of an import, of which nothing is left', async () => {
    const uploads = path.join(world.dataDir, 'uploads');
    const csv = 'destination\nhttps://example.com/';
    const whole = begin('/api/v1/imports', 'text/csv', csv);
    const cut = begin('/api/v1/imports', 'text/csv', csv);
    await delay(1500);
    whole.socket.write(' '.repeat(LENGTH - csv.length));
    await until(() => whole.received().startsWith('HTTP/1.1 202 '), 'the file to be taken');
    whole.socket.destroy();
    await cut.closed;
    expect(cut.received()).to.match(/^HTTP\/1\.1 408 /);
    await until(() => !existsSync(uploads) || readdirSync(uploads).length === 0, 'what had arrived to be deleted');
  });

  it('holds the connection for seconds only where nobody reads it, and may come a moment late', async function () {
    this.timeout(90_000);
    const connection = (first: string, body: string) => {
      const slow = begin(first, 'application/json', body);
      return {
        ...slow,
        answers: () => [...slow.received().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, code]) => Number(code)),
      };
    };
    const late = connection('/api/v1/nothing', ' ');
    await until(() => late.answers().length === 1, 'the answer before the body');
    late.socket.write(' '.repeat(LENGTH - 1));
    const slow = ['/api/v1/nothing', '/nobody-has-this', '/healthz'].map((target) => connection(target, '{'));
    for (const one of slow) dripping(one, 1000);
    await until(() => slow.every(({ answers }) => answers().length === 1), 'their answers');
    await Promise.all(slow.map(({ closed }) => closed));
    expect(slow.map(({ answers }) => answers()[0]).every((status) => status !== undefined && status >= 404)).to.equal(
      true,
    );
    late.socket.write(`GET /healthz HTTP/1.1\r\nHost: ${new URL(world.origin).host}\r\n\r\n`);
    await until(() => late.answers().length === 2, 'the next answer on the connection');
    expect(late.answers()).to.deep.equal([404, 200]);
    late.socket.destroy();
  });

  it('is no error of ours when the client has left', async () => {
    const said: string[] = [];
    const { error, info } = log;
    const note =
      (level: string) =>
      (...given: unknown[]) =>
        void said.push(`${level}: ${given.at(-1)}`);
    Object.assign(log, { error: note('error'), info: note('info') });
    try {
      const slow = begin('/api/v1/links', 'application/json', '{');
      await delay(200);
      slow.socket.destroy();
      await until(() => said.length > 0, 'a line in the log');
    } finally {
      Object.assign(log, { error, info });
    }
    expect(said).to.deep.equal(['info: the client disconnected before its request had arrived']);
  });
});
