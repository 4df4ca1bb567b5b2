// stores: each
import path from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { dialect } from '../../../src/db/connection/database.ts';
import { config } from '../../../src/kernel/config.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

/** Keeps everybody else from writing links until it is called again. */
async function lockStore(): Promise<() => Promise<void>> {
  if (dialect() === 'postgres') {
    const client = new pg.Client({ connectionString: config.databaseUrl as string });
    await client.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE links IN SHARE ROW EXCLUSIVE MODE');
    return () => client.end();
  }
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path.join(config.dataDir, 'svc.sqlite'), (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const run = (sql: string) =>
    new Promise<void>((resolve, reject) => {
      database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  await run('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  return async () => {
    await run('ROLLBACK');
    await new Promise((resolve) => database.close(resolve));
  };
}

describe('A request that is given up after REQUEST_SECONDS', () => {
  const world = useWorld({ REQUEST_SECONDS: '3' });

  const post = async (slug: string, idempotencyKey?: string) => {
    const response = await fetch(`${world.origin}/api/v1/links`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.secretKey}`,
        'Content-Type': 'application/json',
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      body: JSON.stringify({ destination: 'https://www.example.com/', slug }),
    });
    return { status: response.status, body: (await response.json()) as { error?: { code: string; message: string } } };
  };
  const count = async () => (await world.api('GET', '/links/count')).body.count;

  it('takes no effect, however many came together', async () => {
    const unlock = await lockStore();
    const replies = await Promise.all(['a', 'b', 'c'].map((slug) => post(slug))).finally(unlock);
    for (const { status, body } of replies) {
      expect(status).to.equal(503);
      expect(body.error?.code).to.equal('unavailable');
      expect(body.error?.message).to.include('Nothing was changed');
    }
    // Written behind what was given up.
    expect((await post('later')).status).to.equal(201);
    expect(await count()).to.equal(1);
    for (const slug of ['a', 'b', 'c']) expect((await post(slug)).status).to.equal(201);
    expect(await count()).to.equal(4);
  });

  it('can be repeated with its Idempotency-Key, and then takes effect once', async () => {
    const before = await count();
    // The key is claimed before the store is locked: on SQLite nothing at all could be written then.
    expect((await post('first', 'one')).status).to.equal(201);
    const unlock = await lockStore();
    const refused = await post('kept', 'two').finally(unlock);
    expect(refused.status).to.equal(503);
    await until(async () => (await post('kept', 'two')).status === 201, 'the repeat');
    expect((await post('kept', 'two')).status).to.equal(201);
    expect(await count()).to.equal(before + 2);
  });
});
