// stores: none
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { AttemptError } from '../../../src/webhooks/decideOutcome.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { Senders } from '../../support/senders.ts';

/** For those that are slow without end. */
const TIMEOUT_MS = 800;

/** For those whose answer has to come as far as its head before, and for those that don't run into it. */
const LONG_TIMEOUT_MS = { head: 1600, whole: 20_000 };

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

/** What a receiver does once the head of a request has come; a text is sent and the connection left open. */
type Behaviour = string | Buffer | ((socket: Socket) => void);

/** `statusCode` is set where the answer came far enough. */
type Case = [name: string, behaviour: Behaviour, error: AttemptError | null, statusCode: number | null];

const slow: Case[] = [
  ['never answers', () => {}, 'timeout', null],
  ['drips the status line', drips('', 'HTTP/1.1 200 OK'), 'timeout', null],
  ['drips its headers', drips(OK, 'X'), 'timeout', null],
  ['drips interim answers', drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'timeout', null],
  ['drips requests for a body', drips('', 'HTTP/1.1 100 Continue\r\n\r\n'), 'timeout', null],
  ['drips its body', drips(`${OK}Content-Length: 9999\r\n\r\n`, 'x'), 'timeout', 200],
  ['drips chunks', drips(CHUNKED, '1\r\nx\r\n'), 'timeout', 200],
  ['drips trailers', drips(`${CHUNKED}0\r\n`, 'X: y\r\n'), 'timeout', 200],
  ['leaves a body of unknown length open', `${OK}Connection: close\r\n\r\nhello`, 'timeout', 200],
];

const endless: Case[] = [
  ['has a body without end', floods(`${OK}\r\n`, 'x'), null, 200],
  ['has a body without end and an error', floods('HTTP/1.1 500 Oops\r\n\r\n', 'x'), 'status', 500],
  ['announces a body of a terabyte', floods(`${OK}Content-Length: 1099511627776\r\n\r\n`, 'x'), null, 200],
  ['sends chunks without end', floods(CHUNKED, '1\r\nx\r\n'), null, 200],
  ['sends headers without end', floods(OK, 'X-More: yes\r\n'), 'bad_response', null],
  ['sends one header without end', floods(`${OK}X-More: `, 'x'), 'bad_response', null],
  ['sends spaces in a header without end', floods(`${OK}X-More:`, ' '), 'bad_response', null],
  ['sends a reason without end', floods('HTTP/1.1 200 ', 'x'), 'bad_response', null],
  ['sends empty lines without end', floods('', '\r\n'), 'bad_response', null],
  ['sends interim answers without end', floods('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'bad_response', null],
  ['wants a body without end', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), 'bad_response', null],
  ['has an interim answer without end', floods('HTTP/1.1 100 Continue\r\n', 'X-More: yes\r\n'), 'bad_response', null],
  ['sends the size of a chunk without end', floods(CHUNKED, '0'), 'bad_response', 200],
  ['sends a chunk extension without end', floods(`${CHUNKED}1;`, 'x'), 'bad_response', 200],
  ['sends trailers without end', floods(`${CHUNKED}0\r\n`, 'X: y\r\n'), 'bad_response', 200],
];

const noHttp: Case[] = [
  ['speaks SSH', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'bad_response', null],
  ['speaks HTTP/2', Buffer.from('00000c04000000000000030000006400040000ffff', 'hex'), 'bad_response', null],
  ['speaks HTTP/0.9', ends('<html>hello</html>'), 'bad_response', null],
  ['speaks HTTP/7.3', 'HTTP/7.3 200 OK\r\n\r\n', 'bad_response', null],
  ['has a status of letters', 'HTTP/1.1 abc OK\r\n\r\n', 'bad_response', null],
  ['has a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n', 'bad_response', null],
  ['has a NUL in a header', `${OK}X: a\0b\r\nContent-Length: 0\r\n\r\n`, 'bad_response', null],
  ['has a NUL in the name of a header', `${OK}X\0: a\r\nContent-Length: 0\r\n\r\n`, 'bad_response', null],
  ['has a space in the name of a header', `${OK}X y: a\r\nContent-Length: 0\r\n\r\n`, 'bad_response', null],
  ['has two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 'bad_response', null],
  [
    'has a length and chunks',
    `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'bad_response',
    null,
  ],
  ['has a negative length', `${OK}Content-Length: -1\r\n\r\n`, 'bad_response', null],
  ['has a length beyond all numbers', `${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\n`, 'bad_response', null],
  ['has a chunk of no size', `${CHUNKED}zz\r\nab\r\n`, 'bad_response', 200],
  ['has a chunk of a size beyond all numbers', `${CHUNKED}${'f'.repeat(20)}\r\nab\r\n`, 'bad_response', 200],
  ['has a chunk that is longer than it says', `${CHUNKED}2\r\nabcdef\r\n0\r\n\r\n`, 'bad_response', 200],
  ['wants to upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'bad_response', null],
];

const brokenOff: Case[] = [
  ['hangs up before it answers', ends(''), 'reset', null],
  ['resets before it answers', resets(''), 'reset', null],
  ['hangs up within the status line', ends('HTTP/1.1 2'), 'reset', null],
  ['hangs up after an interim answer', ends('HTTP/1.1 100 Continue\r\n\r\n'), 'reset', null],
  ['hangs up within an interim answer', ends('HTTP/1.1 100 Cont'), 'reset', null],
  ['hangs up within the headers', ends(`${OK}X-A: b`), 'reset', null],
  ['hangs up within a body of known length', ends(`${OK}Content-Length: 10\r\n\r\nabc`), 'reset', 200],
  ['hangs up within the chunks', ends(`${CHUNKED}5\r\nab`), 'reset', 200],
  ['resets within the body', resets(`${OK}Content-Length: 10\r\n\r\nabc`), 'reset', 200],
];

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

const odd: Case[] = [
  ['wants the body that it has', `${CONTINUE}${EMPTY}`, null, 200],
  ['wants it again and again', `${CONTINUE}HTTP/1.1 102 Processing\r\nX: y\r\n\r\n${CONTINUE}${EMPTY}`, null, 200],
  ['wants it as an old server', `HTTP/1.0 100 Continue\r\nConnection: close\r\n\r\n${EMPTY}`, null, 200],
  ['wants it and refuses', `${CONTINUE}HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n`, 'status', 500],
  ['has a body that looks like an interim answer', `${OK}Content-Length: 25\r\n\r\n${CONTINUE}`, null, 200],
  ['sends a hint first', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${EMPTY}`, null, 200],
  ['ends the body by hanging up', ends(`${OK}\r\nabc`), null, 200],
  ['ends the body by a reset', resets(`${OK}\r\nabc`), null, 200],
  ['hangs up once it has answered', ends(EMPTY), null, 200],
  ['has a body where there is none', 'HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc', null, 204],
  ['has chunks where there is no body', `${CHUNKED.replace('200', '204')}3\r\nabc\r\n0\r\n\r\n`, null, 204],
  ['says more than its length', `${OK}Content-Length: 1\r\n\r\nabcdef`, null, 200],
  ['answers twice', `${EMPTY}HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n`, null, 200],
  ['says that it would upgrade', `${OK}Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n`, null, 200],
  [
    'redirects to a private address',
    'HTTP/1.1 307 Go\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n',
    'status',
    307,
  ],
  [
    'redirects to metadata',
    'HTTP/1.1 308 Go\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n',
    'status',
    308,
  ],
];

describe('the sender and a receiver', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    await senders.close();
    await loopback.allEnded();
    await loopback.close();
  });

  for (const [name, behaviour, error, statusCode] of [...slow, ...endless, ...noHttp, ...brokenOff, ...odd]) {
    it(`that ${name}: ${error ?? 'success'}`, async () => {
      const respond = typeof behaviour === 'function' ? behaviour : (socket: Socket) => void socket.write(behaviour);
      const port = await loopback.rawHttp(respond);
      const startedAt = performance.now();
      const timeoutMs = timeoutFor(error, statusCode);
      const result = await senders.post(port, { timeoutMs });
      const tookMs = performance.now() - startedAt;
      expect(result).to.include({ error, statusCode });
      expect(tookMs).to.be.below(TIMEOUT_MS + LATE_MS);
      if (error === 'timeout') expect(result.durationMs).to.be.at.least(timeoutMs - 10);
    });
  }
});

function timeoutFor(error: AttemptError | null, statusCode: number | null): number {
  if (error !== 'timeout') return LONG_TIMEOUT_MS.whole;
  return statusCode === null ? TIMEOUT_MS : LONG_TIMEOUT_MS.head;
}

/** Sends something, and hangs up. */
function ends(answer: string): (socket: Socket) => void {
  return (socket) => void socket.end(answer);
}

/** Sends something, and resets the connection once that has arrived. */
function resets(answer: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(answer);
    setTimeout(() => socket.resetAndDestroy(), 20);
  };
}

/** Sends something, and then the characters of `text` over and over, one in 10 ms. */
function drips(head: string, text: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    let sent = 0;
    const timer = setInterval(() => socket.write(text.charAt(sent++ % text.length)), 10);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Sends something, and then `text` over and over, as fast as it is taken. */
function floods(head: string, text: string): (socket: Socket) => void {
  const piece = text.repeat(Math.ceil(16_384 / text.length));
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    socket.write(head);
    more();
  };
}
