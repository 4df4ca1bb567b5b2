import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { StoreUnresponsive } from '../../kernel/storeResponse.ts';
import { inSpan, isTraced } from '../../kernel/tracing.ts';

/** ClickHouse cannot be reached or does not accept work at the moment: it counts as a store that is down. */
export class ClicksUnavailable extends StoreUnresponsive {
  override readonly publicMessage: string =
    'Clicks and their figures cannot be read at the moment, because their store does not respond. They are not lost. Try again in a moment.';

  constructor(cause: unknown) {
    super(`ClickHouse, which has the clicks, cannot be used at the moment: ${(cause as Error).message}`, { cause });
  }
}

/** What a server can do. Debian's package is of 2018, and good for trying things out. */
export interface Server {
  version: string;
  /** Since 22.8: column codecs, LowCardinality, TTL, skipping indexes, asynchronous inserts. */
  isRecent: boolean;
}

/** A question may take so long; reading a month of ten million clicks takes a second or two. */
const QUESTION_MS = 60_000;
/** How often a server that owes an answer is asked whether it is there, and how long it may take for that. */
const WATCH_MS = 1000;
const PING_MS = 2000;
const TICK_MS = 100;
/** An answer of that age says that the server is there. */
const FRESH_MS = 1000;

/** Lists of thousands of projects stand in statements; the default is 256 KiB. */
const LONGEST_STATEMENT = String(16 * 1024 * 1024);

/** Whether clicks are in ClickHouse instead of the store of everything else. */
export function hasClickHouse(): boolean {
  return config.clicksUrl !== null;
}

/** The database of CLICKS_URL. */
export function clickHouseDatabase(): string {
  return new URL(String(config.clicksUrl)).pathname.slice(1) || 'default';
}

function open(given: string, most: number): ClickHouseClient {
  const url = new URL(given);
  const isSafe = url.protocol === 'clickhouses:';
  return createClient({
    url: `${isSafe ? 'https' : 'http'}://${url.hostname}:${url.port || (isSafe ? 8443 : 8123)}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: clickHouseDatabase(),
    application: `svc-${config.role}`,
    request_timeout: QUESTION_MS,
    max_open_connections: most,
    clickhouse_settings: { max_query_size: LONGEST_STATEMENT },
    // Statements and rows may have hashes of addresses.
    log: { level: 127 },
  });
}

interface Clients {
  work: ClickHouseClient;
  /** With connections of its own, so that questions that use up all others do not make the server look away. */
  pings: ClickHouseClient;
}

/** The connections to CLICKS_URL, and what is known of its server. */
class ClickHouse {
  #clients: Clients | null = null;
  #server: Promise<Server> | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Set while the server does not answer pings: nobody waits for it then. */
  #away: ClicksUnavailable | null = null;
  #recheck: NodeJS.Timeout | undefined;

  get clients(): Clients {
    this.#clients ??= { work: open(String(config.clicksUrl), 20), pings: open(String(config.clicksUrl), 2) };
    return this.#clients;
  }

  server(): Promise<Server> {
    this.#server ??= askServer().catch((error) => {
      this.#server = null;
      throw error;
    });
    return this.#server;
  }

  async close(): Promise<void> {
    const old = this.#clients;
    this.#clients = null;
    this.#server = null;
    this.#answeredAt = Number.NEGATIVE_INFINITY;
    this.#away = null;
    clearTimeout(this.#recheck);
    await Promise.all([old?.work.close(), old?.pings.close()]);
  }

  async unlessAway<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#away) throw this.#away;
    const giveUp = new AbortController();
    let ended = false;
    const watch = async (): Promise<never> => {
      for (;;) {
        if (performance.now() - this.#answeredAt > FRESH_MS) await this.#ping();
        await new Promise((resolve) => setTimeout(resolve, WATCH_MS).unref());
        if (ended) return new Promise<never>(() => {});
      }
    };
    try {
      const result = await Promise.race([work(giveUp.signal), watch()]);
      this.#answeredAt = performance.now();
      return result;
    } catch (error) {
      giveUp.abort();
      throw isTemporary(error) ? new ClicksUnavailable(error) : error;
    } finally {
      ended = true;
    }
  }

  async #ping(): Promise<void> {
    const mine = this.clients;
    const patience = startPatience();
    const result = await mine.pings.ping({ select: false, abort_signal: patience.signal }).finally(patience.end);
    // Another server is asked by now.
    if (mine !== this.#clients) return;
    if (result.success) {
      this.#answeredAt = performance.now();
      this.#away = null;
      return;
    }
    this.#away = new ClicksUnavailable(result.error);
    clearTimeout(this.#recheck);
    this.#recheck = setTimeout(() => void this.#ping().catch(() => {}), WATCH_MS).unref();
    throw this.#away;
  }
}

/**
 * Aborts its signal after `PING_MS` in which this process ran. One that stood still for seconds, or waited for a processor, has
 * not seen yet what arrived meanwhile: that says nothing about the server.
 */
function startPatience(): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks * TICK_MS >= PING_MS) controller.abort(new Error(`No answer to a ping for ${PING_MS} ms`));
  }, TICK_MS).unref();
  return { signal: controller.signal, end: () => clearInterval(timer) };
}

const clickHouse = new ClickHouse();

/** Closes the connections; the next call opens new ones. */
export function closeClickHouse(): Promise<void> {
  return clickHouse.close();
}

/** Asks the server what it is, once. Throws `ClicksUnavailable`. */
export function clickHouseServer(): Promise<Server> {
  return clickHouse.server();
}

async function askServer(): Promise<Server> {
  const [row] = await select<{ version: string }>('SELECT version() AS version');
  const version = row?.version ?? '0';
  const [year = 0, release = 0] = version.split('.').map(Number);
  const isRecent = year > 22 || (year === 22 && release >= 8);
  if (!isRecent)
    log.warn({ version }, 'this ClickHouse is older than 22.8: clicks take more space and are kept for ever');
  return { version, isRecent };
}

/** Rows of a statement. Values are written into it by `literal`. Throws `ClicksUnavailable`, and the errors of a wrong statement. */
export async function select<Row>(sql: string, settings: ClickHouseSettings = {}): Promise<Row[]> {
  const { data } = await ask<{ data: Row[] }>(sql, 'JSON', settings);
  return data;
}

/** Rows as lists, and with `WITH TOTALS` the totals. */
export async function selectTotals<Row>(
  sql: string,
  settings: ClickHouseSettings = {},
): Promise<{ data: Row[]; totals?: Row }> {
  return ask<{ data: Row[]; totals?: Row }>(sql, 'JSONCompact', settings);
}

function ask<Answer>(sql: string, format: 'JSON' | 'JSONCompact', settings: ClickHouseSettings): Promise<Answer> {
  return whileThere('query', async (signal) => {
    const answer = await clickHouse.clients.work.query({
      query: sql,
      format,
      abort_signal: signal,
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0, ...settings },
    });
    return answer.json() as Promise<Answer>;
  });
}

/** Runs a statement that returns no rows. */
export function command(sql: string, settings: ClickHouseSettings = {}): Promise<unknown> {
  return whileThere('command', (signal) =>
    clickHouse.clients.work.command({ query: sql, abort_signal: signal, clickhouse_settings: settings }),
  );
}

/** Inserts rows, and resolves when the server has them. */
export function insertRows(
  table: string,
  rows: readonly object[],
  settings: ClickHouseSettings = {},
): Promise<unknown> {
  return whileThere('insert', (signal) =>
    clickHouse.clients.work.insert({
      table,
      values: [...rows],
      format: 'JSONEachRow',
      abort_signal: signal,
      clickhouse_settings: settings,
    }),
  );
}

/**
 * Runs `work`, and gives up as soon as the server does not even answer a ping: a server that hangs is a server that is away,
 * however long a question may take. Until it answers a ping again, nothing is asked.
 */
function whileThere<Result>(
  operation: 'query' | 'command' | 'insert',
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (!isTraced()) return clickHouse.unlessAway(work);
  const attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': operation };
  return inSpan(`clickhouse ${operation}`, { kind: 'client', attributes }, () => clickHouse.unlessAway(work));
}

/**
 * Codes of errors that pass or that an operator mends, and that no statement causes: timeouts, too many queries or parts, the
 * network, memory, disks, tables that are read-only while Keeper is away, users that are not allowed in.
 */
const TEMPORARY = new Set(
  '3 81 159 160 164 192 193 194 198 202 203 209 210 225 236 241 242 243 252 279 285 286 319 373 394 425 439 497 516 517 571 999'.split(
    ' ',
  ),
);

function isTemporary(error: unknown): boolean {
  if (error instanceof ClicksUnavailable) return false;
  // The client does not know the errors of old servers by their form.
  const code = error instanceof ClickHouseError ? error.code : /^Code: (\d+)/.exec((error as Error).message)?.[1];
  return code === undefined || TEMPORARY.has(code);
}

/** A value in a statement. Servers before 19.14 have no parameters. */
export function literal(value: string | number | readonly (string | number)[]): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`);
    return String(value);
  }
  return `[${value.map(literal).join(', ')}]`;
}

/** A list for IN; it is never empty in a statement that is worth sending. */
export function literalList(values: readonly string[]): string {
  return `(${values.map(literal).join(', ')})`;
}
