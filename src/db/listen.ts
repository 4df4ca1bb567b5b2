import pg from 'pg';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { signals, type Topic } from '../kernel/signals.ts';
import { CHANNEL, PROCESS_MARK } from './announce.ts';

/** Time between attempts to get the listening connection back. */
const RECONNECT_MS = 500;
/** How often the connection is asked for a sign of life. */
const HEARTBEAT_MS = 5000;

let connected = false;

/** Whether announcements of other processes arrive now. While they don't, nothing may be answered from a cache that only they keep right. */
export function hearsAnnouncements(): boolean {
  return connected;
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

  const lost = () => {
    clearInterval(timer);
    void client?.end().catch(() => {});
    client = null;
    connected = false;
    signals.emitMissed();
    if (!stopped) timer = setTimeout(connect, RECONNECT_MS);
  };
  const connect = async () => {
    const mine = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
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
      connected = true;
      signals.emitMissed();
      timer = setInterval(() => mine.query('SELECT 1').catch(() => client === mine && lost()), HEARTBEAT_MS);
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
      const open = client;
      client = null;
      await open?.end().catch(() => {});
    },
  };
}

function hear(message: string): void {
  const [mark, topic, ...payload] = message.split('|');
  if (mark === PROCESS_MARK) return;
  for (const line of payload.join('|').split('\n')) signals.emit(topic as Topic, line);
}
