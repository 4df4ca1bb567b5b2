// stores: any
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { type Attempt, Svc, SvcConnectionError, SvcError, type SvcOptions } from '../../../../sdk/client/index.ts';
import { pauseBefore } from '../../../../sdk/client/pauseBefore.ts';

const KEY = 'sk_live_of_the_tests';
const LINK = JSON.stringify({ id: 'lnk_1' });

/** How a server misbehaves once. */
type Fault = (request: IncomingMessage, response: ServerResponse) => void;

const FAULTS: Record<string, Fault> = {
  '502 of a proxy': (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
  '503 of ours': (_, response) => refuse(response, 503, 'unavailable', { 'Retry-After': '0' }),
  '504 of a proxy': (_, response) => response.writeHead(504).end(),
  'a reset': (request) => request.socket.resetAndDestroy(),
  'an answer that is cut off': (request, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('{');
    setImmediate(() => request.socket.destroy());
  },
  'no answer in time': () => {},
};

describe('the retries of the client', function () {
  this.timeout(120_000);
  let server: Server;
  let listener: RequestListener;
  let asked: IncomingMessage[];
  let attempts: Attempt[];

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    attempts = [];
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`repeat a POST with the same key after ${name}`, async () => {
      failFirst(fault);
      const link = await client().links.create({ destination: 'https://example.com' });
      expect(link.id).to.equal('lnk_1');
      const keys = asked.map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.have.length(2);
      expect(keys[0])
        .to.equal(keys[1])
        .and.match(/^[0-9a-f-]{36}$/);
    });

    it(`do not repeat a PATCH or a DELETE after ${name}`, async () => {
      failFirst(fault);
      await expectThrown(client().links.update('lnk_1', { title: 'A' }));
      failFirst(fault);
      await expectThrown(client().links.delete('lnk_1'));
      expect(asked).to.have.length(2);
    });
  }

  it('repeat GET and PUT, which may come twice', async () => {
    failFirst(FAULTS['a reset'] as Fault);
    await client().links.get('lnk_1');
    failFirst(FAULTS['a reset'] as Fault);
    await client().links.upsert('mine/1', { destination: 'https://example.com' });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /api/v1/links/lnk_1',
      'GET /api/v1/links/lnk_1',
      'PUT /api/v1/links/external/mine%2F1',
      'PUT /api/v1/links/external/mine%2F1',
    ]);
  });

  it('end after so many, with the last error', async () => {
    listener = FAULTS['503 of ours'] as Fault;
    const error = await expectThrown(client({ retries: 1 }).links.get('lnk_1'));
    expect(error).to.include({ code: 'unavailable', status: 503, requestId: 'req_1' });
    expect(attempts.map(({ number, status, errorCode }) => [number, status, errorCode])).to.deep.equal([
      [1, 503, 'unavailable'],
      [2, 503, 'unavailable'],
    ]);
  });

  it('wait as long as a 429 says, with every method', async () => {
    failFirst((_, response) => refuse(response, 429, 'rate_limited', { 'Retry-After': '2' }));
    const begunAt = performance.now();
    await client().links.delete('lnk_1');
    expect(performance.now() - begunAt).to.be.above(1990);
    expect(asked).to.have.length(2);
  });

  it('do not wait longer than a minute', async () => {
    listener = (_, response) => refuse(response, 429, 'rate_limited', { 'Retry-After': '61' });
    const error = await expectThrown(client().links.get('lnk_1'));
    expect(error).to.include({ code: 'rate_limited', retryAfterSeconds: 61 });
    expect(asked).to.have.length(1);
  });

  it('come once more with PATCH where nobody listened', async () => {
    const { port } = await freePort();
    const svc = client({ url: `http://127.0.0.1:${port}` });
    const error = await expectThrown(svc.links.update('lnk_1', { title: 'A' }));
    expect(error).to.be.instanceOf(SvcConnectionError);
    expect(error).to.include({ code: 'connection_refused', status: 0 });
    expect(attempts.map(({ errorCode }) => errorCode)).to.deep.equal(['connection_refused', 'connection_refused']);
  });

  it('leave a refusal as it is', async () => {
    listener = (_, response) => refuse(response, 422, 'code_of_tomorrow', {});
    const error = await expectThrown(client().links.create({ destination: 'https://example.com' }));
    expect(error).to.not.be.instanceOf(SvcConnectionError);
    expect(error).to.include({ code: 'code_of_tomorrow', status: 422, docUrl: 'https://docs.example.com/code' });
    expect(error.fields).to.deep.equal([{ path: 'destination', message: 'Is wrong.' }]);
    expect(JSON.parse(error.body).error.message).to.equal(error.message);
    expect(asked).to.have.length(1);
  });

  it('follow nobody to another place with the key', async () => {
    listener = (_, response) => response.writeHead(301, { Location: 'https://elsewhere.example.com/' }).end();
    const error = await expectThrown(client().links.get('lnk_1'));
    expect(error).to.include({ code: 'bad_response', status: 301 });
    expect(error.message).to.match(/elsewhere/);
  });

  it('end with the signal, also while they wait', async () => {
    listener = FAULTS['502 of a proxy'] as Fault;
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = client().links.get('lnk_1', { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    expect(await call.catch((thrown: unknown) => thrown)).to.equal(reason);
    expect(asked).to.have.length(1);
  });

  it('say who asks, and tell nobody the key', async () => {
    failFirst(FAULTS['502 of a proxy'] as Fault);
    const svc = client({ userAgent: 'svc-cli/1.0' });
    await svc.links.get('lnk_1');
    expect(asked[0]?.headers).to.include({
      authorization: `Bearer ${KEY}`,
      'user-agent': `svc-cli/1.0 node/${process.versions.node}`,
    });
    listener = FAULTS['502 of a proxy'] as Fault;
    const error = await expectThrown(client({ retries: 0 }).links.get('lnk_1'));
    const shown = inspect([svc, error, attempts], { depth: 20, showHidden: true }) + JSON.stringify([svc, attempts]);
    expect(shown).to.not.include(KEY);
    expect(attempts[0]).to.include({ method: 'GET', path: '/api/v1/links/lnk_1', status: 502, number: 1 });
  });

  it('are decided by method, status and number alone', () => {
    const refused = new SvcConnectionError('connection_refused', '');
    const busy = new SvcError('idempotency_in_progress', '', { status: 409 });
    const pauses = [
      pauseBefore(refused, 'DELETE', 1, 3),
      pauseBefore(refused, 'DELETE', 2, 3),
      pauseBefore(refused, 'POST', 3, 3),
      pauseBefore(refused, 'POST', 4, 3),
      pauseBefore(busy, 'POST', 1, 3),
      pauseBefore(new SvcError('conflict', '', { status: 409 }), 'POST', 1, 3),
      pauseBefore(new SvcError('internal_error', '', { status: 500 }), 'GET', 1, 3),
    ];
    expect(pauses.map((pause) => pause !== null)).to.deep.equal([true, false, true, false, true, false, false]);
  });

  function client(options: Partial<SvcOptions> = {}): Svc {
    const { port } = server.address() as AddressInfo;
    const onAttempt = (attempt: Attempt) => attempts.push(attempt);
    return new Svc({ url: `http://127.0.0.1:${port}/`, key: KEY, timeoutSeconds: 1, onAttempt, ...options });
  }

  /** One fault, and then a link. */
  function failFirst(fault: Fault): void {
    listener = (request, response) => {
      listener = (_, later) => later.writeHead(200, { 'Content-Type': 'application/json' }).end(LINK);
      fault(request, response);
    };
  }
});

describe('the options of the client', () => {
  const good = { url: 'https://svc.example.com', key: KEY };

  for (const [name, wrong] of Object.entries({
    'no url': { url: '' },
    'an url without its scheme': { url: 'svc.example.com' },
    'a key with a line break': { key: `${KEY}\n` },
    'no key': { key: '' },
    'retries below 0': { retries: -1 },
    'no time': { timeoutSeconds: 0 },
  })) {
    it(`are refused with ${name}`, () => {
      expect(() => new Svc({ ...good, ...wrong }))
        .to.throw(SvcError)
        .with.property('code', 'invalid_options');
    });
  }

  it('refuse a secret key in a web page', () => {
    const host = globalThis as Record<string, unknown>;
    Object.assign(host, { window: {}, document: {} });
    try {
      expect(() => new Svc(good)).to.throw(SvcError, /web page/);
      expect(new Svc({ ...good, allowBrowser: true })).to.be.instanceOf(Svc);
    } finally {
      delete host.window;
      delete host.document;
    }
  });

  it('and ids that would make another path are refused before anything is sent', async () => {
    const svc = new Svc({ ...good, fetch: () => expect.fail('sent') });
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      expect(await expectThrown(svc.links.delete(id))).to.include({ code: 'invalid_options' });
    }
  });
});

async function expectThrown(promise: PromiseLike<unknown>): Promise<SvcError> {
  const thrown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).to.be.instanceOf(SvcError);
  return thrown as SvcError;
}

function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string>): void {
  const fields = [{ path: 'destination', message: 'Is wrong.' }];
  const error = { code, message: 'Refused.', request_id: 'req_1', doc_url: 'https://docs.example.com/code', fields };
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify({ error }));
}

/** A port on which nobody listens. */
async function freePort(): Promise<{ port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { port };
}
