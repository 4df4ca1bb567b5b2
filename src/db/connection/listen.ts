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

let connected = false;
let isNeeded = false;

/** Whether announcements of other processes arrive. While they do not, caches that depend on them must not be used. */
export function hearsAnnouncements(): boolean {
  isNeeded = true;
  return connected;
}

/** The same, for people: asking keeps no heartbeat going. */
export function isListening(): boolean {
  return connected;
}

/** Sends the next heartbeat within HEARTBEAT_MS, also in an idle process. */
export function expectHeartbeat(): void {
  isNeeded = true;
}

let answeredAt = Number.NEGATIVE_INFINITY;

/** Whether PostgreSQL has responded on the listening connection within that time. */
export function hasAnsweredWithin(milliseconds: number): boolean {
  return connected && performance.now() - answeredAt < milliseconds;
}

/**
 * Keeps one PostgreSQL connection listening for announcements of other processes; the embedded store has none. A lost
 * connection is signalled at once (`signals.onMissed`) and reopened.
 */
export function listenForAnnouncements(config: Config): { stop(): Promise<void> } {
  const url = config.databaseUrl;
  if (!url) {
    connected = true;
    return { stop: async () => {} };
  }
  let stopped = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let secondChance: NodeJS.Timeout | undefined;

  const lost = (reconnectMs = RECONNECT_MS) => {
    clearInterval(timer);
    const old = client;
    client = null;
    void old?.end().catch(() => {});
    connected = false;
    signals.emitMissed();
    if (!stopped) timer = setTimeout(connect, reconnectMs);
  };
  const beat = async (mine: pg.Client) => {
    if (!isNeeded && !isAnyoneWaiting() && hasAnsweredWithin(IDLE_HEARTBEAT_MS)) return;
    isNeeded = false;
    try {
      await withTimeout(
        mine.query('SELECT 1'),
        HEARTBEAT_TIMEOUT_MS,
        () => new StoreUnresponsive('the heartbeat timed out'),
      );
      answeredAt = performance.now();
    } catch (error) {
      if (client !== mine) return;
      if (error instanceof StoreUnresponsive) {
        log.warn({ err: error }, 'the heartbeat of the listening connection timed out; trying another connection');
        secondChance ??= setTimeout(() => markStoreSilent(dropConnections), SECOND_CHANCE_MS);
      }
      lost(0);
    }
  };
  const connect = async () => {
    const mine = new pg.Client({
      connectionString: url,
      application_name: `svc-${config.role}-listen`,
      keepAlive: true,
      connectionTimeoutMillis: 2000,
      query_timeout: 5000,
    });
    client = mine;
    mine.on('error', (error) => log.warn({ err: error }, 'the listening connection failed'));
    mine.on('notification', ({ payload = '' }) => receive(payload));
    mine.on('end', () => {
      if (client === mine) lost();
    });
    try {
      await mine.connect();
      await mine.query(`LISTEN ${CHANNEL}`);
      // It was stopped or replaced while it was being opened.
      if (client !== mine) return void mine.end().catch(() => {});
      clearTimeout(secondChance);
      secondChance = undefined;
      markStoreResponsive();
      connected = true;
      signals.emitMissed();
      timer = everyInterval(() => beat(mine), HEARTBEAT_MS);
    } catch (error) {
      log.warn({ err: error }, 'cannot listen for announcements of other processes; trying again');
      if (client === mine) lost();
    }
  };
  void connect();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(secondChance);
      markStoreResponsive();
      const open = client;
      client = null;
      await open?.end().catch(() => {});
    },
  };
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
