import pg from 'pg';
import type { Config } from '../../kernel/config.ts';
import { withTimeout } from '../../kernel/deadline.ts';
import { log } from '../../kernel/log.ts';
import { signals, type Topic } from '../../kernel/signals.ts';
import {
  isAnyoneWaiting,
  markStoreResponsive,
  markStoreSilent,
  StoreUnresponsive,
} from '../../kernel/storeResponse.ts';
import { CHANNEL, PROCESS_MARK } from '../announce.ts';
import { dropConnections } from './database.ts';

/** Delay between attempts to reopen the listening connection. */
const RECONNECT_MS = 500;
/**
 * How often a heartbeat is sent on the connection, and how long it may take before another connection is tried. Together they
 * are how long a change may go unseen behind a connection that hangs: the contract says a second.
 */
const HEARTBEAT_MS = 300;
const HEARTBEAT_TIMEOUT_MS = 500;
/** How often while nothing depends on the connection: five idle processes sent half of all their statements for it. */
const IDLE_HEARTBEAT_MS = 5000;
/** If the other connection takes longer than this, the store does not respond. */
const SECOND_CHANCE_MS = 400;

/** The part of the open product that listens. */
let listener: Listener | null = null;

interface Listener {
  isConnected: boolean;
  /** Whether anything has depended on the connection since the last heartbeat. */
  isNeeded: boolean;
  answeredAt: number;
  stop(): Promise<void>;
}

/** Whether announcements of other processes arrive. While they do not, caches that depend on them must not be used. */
export function hearsAnnouncements(): boolean {
  if (listener === null) return false;
  listener.isNeeded = true;
  return listener.isConnected;
}

/** The same, for people: asking keeps no heartbeat going. */
export function isListening(): boolean {
  return listener?.isConnected ?? false;
}

/** Sends the next heartbeat within HEARTBEAT_MS, also in an idle process. */
export function expectHeartbeat(): void {
  if (listener) listener.isNeeded = true;
}

/** Whether PostgreSQL has responded on the listening connection within that time. */
export function hasAnsweredWithin(milliseconds: number): boolean {
  return listener?.isConnected === true && performance.now() - listener.answeredAt < milliseconds;
}

/**
 * Keeps one PostgreSQL connection listening for announcements of other processes; the embedded store has none. A lost
 * connection is signalled at once (`signals.onMissed`) and reopened.
 */
export function listenForAnnouncements({ databaseUrl, role }: Config): { stop(): Promise<void> } {
  const mine = databaseUrl ? new PostgresListener(databaseUrl, `svc-${role}-listen`) : new OnlyProcess();
  listener = mine;
  return {
    async stop() {
      await mine.stop();
      if (listener === mine) listener = null;
    },
  };
}

/** There is no other process to hear from. */
class OnlyProcess implements Listener {
  readonly isConnected = true;
  isNeeded = false;
  readonly answeredAt = Number.NEGATIVE_INFINITY;

  async stop(): Promise<void> {}
}

class PostgresListener implements Listener {
  isConnected = false;
  isNeeded = false;
  answeredAt = Number.NEGATIVE_INFINITY;
  readonly #url: string;
  readonly #name: string;
  #isStopped = false;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #secondChance: NodeJS.Timeout | undefined;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#secondChance);
    markStoreResponsive();
    const open = this.#client;
    this.#client = null;
    await open?.end().catch(() => {});
  }

  #lose(reconnectMs = RECONNECT_MS): void {
    clearInterval(this.#timer);
    const old = this.#client;
    this.#client = null;
    void old?.end().catch(() => {});
    this.isConnected = false;
    signals.emitMissed();
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#connect(), reconnectMs);
  }

  async #beat(mine: pg.Client): Promise<void> {
    const isIdle = !this.isNeeded && !isAnyoneWaiting();
    if (isIdle && performance.now() - this.answeredAt < IDLE_HEARTBEAT_MS) return;
    this.isNeeded = false;
    try {
      await withTimeout(
        mine.query('SELECT 1'),
        HEARTBEAT_TIMEOUT_MS,
        () => new StoreUnresponsive('the heartbeat timed out'),
      );
      this.answeredAt = performance.now();
    } catch (error) {
      if (this.#client !== mine) return;
      if (error instanceof StoreUnresponsive) {
        log.warn({ err: error }, 'the heartbeat of the listening connection timed out; trying another connection');
        this.#secondChance ??= setTimeout(() => markStoreSilent(dropConnections), SECOND_CHANCE_MS);
      }
      this.#lose(0);
    }
  }

  async #connect(): Promise<void> {
    const mine = new pg.Client({
      connectionString: this.#url,
      application_name: this.#name,
      keepAlive: true,
      connectionTimeoutMillis: 2000,
      query_timeout: 5000,
    });
    this.#client = mine;
    mine.on('error', (error) => log.warn({ err: error }, 'the listening connection failed'));
    mine.on('notification', ({ payload = '' }) => receive(payload));
    mine.on('end', () => {
      if (this.#client === mine) this.#lose();
    });
    try {
      await mine.connect();
      await mine.query(`LISTEN ${CHANNEL}`);
      // It was stopped or replaced while it was being opened.
      if (this.#client !== mine) return void mine.end().catch(() => {});
      clearTimeout(this.#secondChance);
      this.#secondChance = undefined;
      markStoreResponsive();
      this.isConnected = true;
      signals.emitMissed();
      this.#timer = everyInterval(() => this.#beat(mine), HEARTBEAT_MS);
    } catch (error) {
      log.warn({ err: error }, 'cannot listen for announcements of other processes; trying again');
      if (this.#client === mine) this.#lose();
    }
  }
}

/** Like `setInterval`, but skips calls while `work` is running. */
function everyInterval(work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    await work();
    isRunning = false;
  }, everyMs);
}

function receive(message: string): void {
  const [mark, topic, ...payload] = message.split('|');
  if (mark === PROCESS_MARK) return;
  for (const line of payload.join('|').split('\n')) signals.emit(topic as Topic, line);
}
