// stores: any
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Svc, SvcError } from '../../../../sdk/client/index.ts';
import { serverSentEvents } from '../../../../sdk/client/serverSentEvents.ts';

describe('the events of a stream', () => {
  const text = [
    '\uFEFF: alive',
    '',
    'retry: 3000',
    '',
    'id: evt_1',
    'event: link.created',
    'data: {"a":"é"}',
    '',
    'data',
    'data:two',
    'data:  lines',
    '',
    'event: nothing to say',
    '',
    'id: evt_2',
    'data: cut off',
  ];
  const expected = [
    { id: 'evt_1', type: 'link.created', data: '{"a":"é"}' },
    { id: 'evt_1', type: 'message', data: '\ntwo\n lines' },
  ];

  for (const [name, lineBreak] of Object.entries({ LF: '\n', CR: '\r', 'CR and LF': '\r\n' })) {
    for (const size of [1, 2, 3, 1000]) {
      it(`are read from parts of ${size} bytes, with lines that end with ${name}`, async () => {
        const bytes = new TextEncoder().encode(text.join(lineBreak));
        async function* parts() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
        }
        const seen = [];
        let retryMs = 0;
        const onRetry = (milliseconds: number) => {
          retryMs = milliseconds;
        };
        for await (const event of serverSentEvents(parts(), onRetry)) seen.push(event);
        expect(seen).to.deep.equal(expected);
        expect(retryMs).to.equal(3000);
      });
    }
  }
});

describe('svc.events.stream', function () {
  this.timeout(60_000);
  let server: Server;
  let asked: IncomingMessage[];
  let answers: ((response: ServerResponse) => void)[];

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      const answer = answers.shift();
      if (answer) answer(response);
      else refuse(response, 401, 'invalid_key');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
  });

  it('connects again from the last event on, gives each event once, and ends when the key is refused', async () => {
    answers = [
      (response) => stream(response, `retry: 1000\n\n${event(1)}${event(2)}`).end(),
      (response) => {
        stream(response, `: alive\n\n${event(2)}${event(3)}id: evt_4\nevent: link.cl`);
        setTimeout(() => response.destroy(), 200);
      },
      (response) => response.writeHead(502).end(),
      (response) =>
        stream(response, `${event(3)}event: skipped\ndata: {"count":7,"after":"evt_3"}\n\n${event(4)}`).end(),
    ];
    const told: string[] = [];
    const seen: string[] = [];
    let refusal: unknown;
    try {
      for await (const { id, type } of client().events.stream({
        types: ['link.created', 'link.clicked'],
        linkId: 'lnk_1',
        after: 'evt_0',
        onOpen: () => told.push('open'),
        onLost: ({ code }) => told.push(code),
        onSkipped: (count, after) => told.push(`${count} after ${after}`),
      })) {
        expect(type).to.equal('link.created');
        seen.push(id);
      }
    } catch (error) {
      refusal = error;
    }
    expect(seen).to.deep.equal(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    expect(refusal).to.be.instanceOf(SvcError);
    expect(refusal).to.include({ code: 'invalid_key', status: 401 });
    expect(asked.map(({ headers }) => headers['last-event-id'])).to.deep.equal([
      'evt_0',
      'evt_2',
      'evt_3',
      'evt_3',
      'evt_4',
    ]);
    expect(asked[0]?.url).to.equal('/api/v1/events/stream?types=link.created%2Clink.clicked&link_id=lnk_1');
    expect(asked[0]?.headers.accept).to.equal('text/event-stream');
    expect(told).to.deep.equal([
      'open',
      'connection_failed',
      'open',
      'connection_failed',
      'bad_response',
      'open',
      '7 after evt_3',
      'connection_failed',
    ]);
  });

  it('gives the text of each event as it was sent', async () => {
    answers = [(response) => void stream(response, event(1))];
    for await (const message of client().events.messages()) {
      expect(message).to.deep.equal({ id: 'evt_1', type: 'link.created', data: envelope(1) });
      break;
    }
    expect(asked[0]?.headers).to.not.have.property('last-event-id');
  });

  it('ends its connection when the loop ends', async () => {
    let isClosed: Promise<void> | undefined;
    answers = [
      (response) => {
        isClosed = new Promise((resolve) => response.on('close', resolve));
        stream(response, event(1));
      },
    ];
    for await (const _ of client().events.stream()) break;
    await isClosed;
  });

  it('ends with its signal', async () => {
    answers = [(response) => void stream(response, event(1))];
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = async () => {
      for await (const _ of client().events.stream({ signal: controller.signal })) controller.abort(reason);
    };
    expect(await run().catch((thrown: unknown) => thrown)).to.equal(reason);
  });

  it('throws what the first connection is refused with', async () => {
    answers = [(response) => refuse(response, 403, 'insufficient_scope')];
    const run = async () => {
      for await (const _ of client().events.stream()) expect.fail('an event');
    };
    expect(await run().catch((thrown: unknown) => thrown)).to.include({ code: 'insufficient_scope' });
  });

  function client(): Svc {
    return new Svc({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'sk_live_a' });
  }
});

function envelope(number: number): string {
  return JSON.stringify({ id: `evt_${number}`, type: 'link.created', data: {} });
}

function event(number: number): string {
  return `id: evt_${number}\nevent: link.created\ndata: ${envelope(number)}\n\n`;
}

function stream(response: ServerResponse, text: string): ServerResponse {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' }).write(text);
  return response;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const error = { code, message: 'No.', request_id: 'req_1', doc_url: 'https://docs.example.com' };
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}
