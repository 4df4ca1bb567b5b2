import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An insert that is held. */
export interface HeldInsert {
  /** How many rows it has. */
  rows: number;
  /** Lets ClickHouse have it now, and resolves when it has; after that there is nothing left to let go. */
  letGo(): Promise<void>;
}

/** A ClickHouse behind a gate that can hold the next insert; everything else passes. */
export interface InsertGate {
  /** As CLICKS_URL takes it. */
  url: string;
  /** Holds the next insert on its way there, or its answer on its way back, and resolves when it is held. */
  holdNext(what: 'insert' | 'answer'): Promise<HeldInsert>;
  close(): Promise<void>;
}

export async function startInsertGate(clickHouseUrl: string): Promise<InsertGate> {
  const target = new URL(clickHouseUrl.replace(/^clickhouse/, 'http'));
  let awaited: { what: 'insert' | 'answer'; tell(held: HeldInsert): void } | null = null;

  const forward = async ({ method, url, headers }: IncomingMessage, body: string) => {
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
    const sent = { method: String(method), headers: kept as Record<string, string> };
    const answer = await fetch(new URL(String(url), target.origin), method === 'GET' ? sent : { ...sent, body });
    return { status: answer.status, headers: exceptionOf(answer), body: await answer.text() };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const held = isInsert(request) ? awaited : null;
    if (held) awaited = null;
    const rows = body.split('\n').filter((line) => line.trim() !== '').length;
    if (held?.what === 'insert')
      return held.tell({ rows, letGo: async () => expectDone(await forward(request, body)) });
    const answer = await forward(request, body);
    if (held) {
      expectDone(answer);
      return held.tell({ rows, letGo: async () => {} });
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `clickhouse://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    holdNext: (what) =>
      new Promise((tell) => {
        awaited = { what, tell };
      }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function isInsert({ url }: IncomingMessage): boolean {
  return /^\s*INSERT\b/i.test(new URL(String(url), 'http://localhost').searchParams.get('query') ?? '');
}

const EXCEPTION = 'x-clickhouse-exception-code';

function exceptionOf({ headers }: Response): Record<string, string> {
  const code = headers.get(EXCEPTION);
  return code === null ? {} : { [EXCEPTION]: code };
}

function expectDone({ status, body }: { status: number; body: string }): void {
  if (status !== 200) throw new Error(`ClickHouse answered an insert with ${status}: ${body}`);
}
