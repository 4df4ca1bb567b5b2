import { Pool } from 'undici';
import { percentile } from './timings.ts';

export interface SteadyOrder {
  port: number;
  /** Host header of the links. */
  host: string;
  paths: string[];
  perSecond: number;
  seconds: number;
}

export interface SteadyResult {
  p50: number;
  p99: number;
  worst: number;
  /** Answers that were no redirect. */
  failed: number;
}

const AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** Follows links at a steady rate, whether answers come or not, from a process that does nothing else. */
process.on('message', async (order: SteadyOrder) => process.send?.(await follow(order)));
process.on('disconnect', () => process.exit());

async function follow({ port, host, paths, perSecond, seconds }: SteadyOrder): Promise<SteadyResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 100 });
  const spent: number[] = [];
  let failed = 0;
  const one = async (path: string) => {
    const startedAt = performance.now();
    const headers = { host, 'user-agent': AGENT, 'accept-language': 'de-DE,de;q=0.9' };
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.dump();
    spent.push(performance.now() - startedAt);
    if (statusCode !== 302) failed += 1;
  };
  const under: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) / 1000) * perSecond);
    for (; sent < due; sent += 1) under.push(one(paths[(sent * 7919) % paths.length] as string));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
  await pool.close();
  return { p50: percentile(spent, 0.5), p99: percentile(spent, 0.99), worst: percentile(spent, 1), failed };
}
