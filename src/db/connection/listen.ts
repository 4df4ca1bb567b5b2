import pg from 'pg';
import type { Config } from '../kernel/config.ts';
import { within } from '../kernel/deadline.ts';
import { log } from '../kernel/log.ts';
import { signals, type Topic } from '../kernel/signals.ts';
import { noteSign, noteSilence, StoreHangs } from '../kernel/storeSilence.ts';
import { CHANNEL, PROCESS_MARK } from './announce.ts';
import { dropConnections } from './database.ts';

/** Time between attempts to get the listening connection back. */
const RECONNECT_MS = 500;
/** How often the connection is asked for a sign of life, and for how long that may take before another one is tried. */
const HEARTBEAT_MS = 500;
const HEARTBEAT_PATIENCE_MS = 700;
/** When the other one takes longer than this to be there, the store hangs. */
const SECOND_CHANCE_MS = 400;

let connected = false;

/** Whether announcements of other processes arrive now. While they don't, nothing may be answered from a cache that only they keep right. */
export function hearsAnnouncements(): boolean {
  return connected;
}

let answeredAt = Number.NEGATIVE_INFINITY;

/** Whether PostgreSQL has answered on the listening connection that lately. */
export function hasAnsweredWithin(milliseconds: number): boolean {
  return connected && performance.now() - answeredAt < milliseconds;
}

/**
 * Keeps one PostgreSQL connection listening for what other processes announce. With the embedded store there are no
 * other processes, so there is nothing to hear. A lost connection is told at once (`signals.onMissed`) and re-made.
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
    try {
      await within(mine.query('SELECT 1'), HEARTBEAT_PATIENCE_MS, () => new StoreHangs('no sign of life'));
      answeredAt = performance.now();
    } catch (error) {
      if (client !== mine) return;
      if (error instanceof StoreHangs) {
        log.warn('the store gives no sign of life on the listening connection; trying another one');
        secondChance ??= setTimeout(() => noteSilence(dropConnections), SECOND_CHANCE_MS);
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
    mine.on('notification', ({ payload = '' }) => hear(payload));
    mine.on('end', () => {
      if (client === mine) lost();
    });
    try {
      await mine.connect();
      await mine.query(`LISTEN ${CHANNEL}`);
      // Stopped, or given up, while it was being made.
      if (client !== mine) return void mine.end().catch(() => {});
      clearTimeout(secondChance);
      secondChance = undefined;
      noteSign();
      connected = true;
      signals.emitMissed();
      timer = everyWhile(() => beat(mine), HEARTBEAT_MS);
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
      noteSign();
      const open = client;
      client = null;
      await open?.end().catch(() => {});
    },
  };
}

/** Calls `work` so often, but never while it is at it. */
function everyWhile(work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isAtIt = false;
  return setInterval(async () => {
    if (isAtIt) return;
    isAtIt = true;
    await work();
    isAtIt = false;
  }, everyMs);
}

function hear(message: string): void {
  const [mark, topic, ...payload] = message.split('|');
  if (mark === PROCESS_MARK) return;
  for (const line of payload.join('|').split('\n')) signals.emit(topic as Topic, line);
}
