import { randomBytes } from 'node:crypto';
import { connectTo } from '../db/connection/postgresClient.ts';
import { BackupProblem } from './manifest.ts';

/** `svc_verify_<seconds since the epoch>_<random>` */
const NAME = /^svc_verify_(\d+)_[0-9a-f]{8}$/;
/** Age from which on a database of that name that nobody uses is what a killed process left. */
const LEFTOVER_SECONDS = 3600;
/** SQLSTATE: the user may not create databases. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates an empty database on the server of `url`, runs `work` with its URL, and drops it. Databases that a killed process
 * left are dropped too.
 */
export async function withScratchDatabase<Result>(
  url: string,
  work: (scratchUrl: string) => Promise<Result>,
): Promise<Result> {
  const seconds = Math.floor(Date.now() / 1000);
  const name = `svc_verify_${seconds}_${randomBytes(4).toString('hex')}`;
  const client = await connectTo(url);
  try {
    await dropLeftovers(url, seconds);
    // Without what an administrator has added to the usual template.
    await client
      .query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
      .catch((error: Error & { code?: string }) => {
        if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
        throw new BackupProblem(
          'The user of DATABASE_URL may not create a scratch database. Grant it CREATEDB, or set DATABASE_URL to another server.',
        );
      });
  } finally {
    await client.end();
  }
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  try {
    return await work(scratch.href);
  } finally {
    await drop(url, name);
  }
}

async function dropLeftovers(url: string, nowSeconds: number): Promise<void> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query(
      "SELECT datname FROM pg_database WHERE datname LIKE 'svc\\_verify\\_%' AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)",
    );
    for (const { datname } of rows) {
      const madeAt = Number(NAME.exec(datname)?.[1]);
      if (madeAt < nowSeconds - LEFTOVER_SECONDS)
        await client.query(`DROP DATABASE IF EXISTS ${datname}`).catch(() => {});
    }
  } finally {
    await client.end();
  }
}

/** By a connection of its own: the first one may not have outlived hours without a word. */
async function drop(url: string, name: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
