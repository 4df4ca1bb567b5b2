// stores: each
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { claimRequest, purgeIdempotencyRecords } from '../../../src/access/idempotencyStore.ts';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { purgeAudit, recordAudit } from '../../../src/audit/recordAudit.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { deleteOldest } from '../../../src/db/deleteOldest.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { firstIdAt, newId } from '../../../src/kernel/ids.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const PASSWORD = 'a password of this test';

describe('what is kept no longer', () => {
  let store: OpenStore;
  let time: StoppedClock;
  let owned: { keyId: string; teamId: string };

  before(async () => {
    store = await openStore({});
    await firstStart({ ownerEmail: 'owner@example.com', ownerPassword: PASSWORD });
    owned = { keyId: await idOf('api_keys'), teamId: await idOf('teams') };
  });
  after(() => store.close());
  beforeEach(() => {
    time = stopClock(NOW);
  });
  afterEach(() => clock.reset());

  const run = <Row extends object>(sql: string, ...values: unknown[]) =>
    inTransaction((transaction) => queryRaw<Row>(sql, values, transaction));
  const idOf = async (table: string) => (await run<{ id: string }>(`SELECT id FROM ${table} LIMIT 1`))[0]?.id ?? '';
  const count = async (table: string) =>
    Number((await run<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))[0]?.count);
  const never = () => new AbortController().signal;
  /** An id of that moment. */
  const idAt = (prefix: 'evt' | 'dlv' | 'aud', ms: number) =>
    firstIdAt(prefix, ms).slice(0, prefix.length + 11) + newId(prefix).slice(prefix.length + 11);

  /** Tables with the days that their rows are kept, and how a row of a moment is written. */
  const TABLES: Record<string, { days: number; insert(ms: number): Promise<unknown> }> = {
    audit_entries: {
      days: 365,
      insert: (ms) =>
        run(
          `INSERT INTO audit_entries (id, team_id, actor_kind, action, details, created_at)
           VALUES ($1, $2, 'operator', 'team.active', '{}', $3)`,
          ...[idAt('aud', ms), owned.teamId, sqlTime(ms)],
        ),
    },
    events: {
      days: 30,
      insert: (ms) =>
        run(
          `INSERT INTO events (id, type, team_id, tag_ids, data, created_at, fanned_out_at)
           VALUES ($1, 'link.created', $2, '[]', '{}', $3, $3)`,
          ...[idAt('evt', ms), owned.teamId, sqlTime(ms)],
        ),
    },
    mails: {
      days: 30,
      insert: (ms) =>
        run(
          `INSERT INTO mails (id, kind, reference, address, status, created_at, updated_at)
           VALUES ($1, 'test', $1, 'a@example.com', 'sent', $2, $2)`,
          ...[newId('mail'), sqlTime(ms)],
        ),
    },
    alerts: {
      days: 400,
      insert: (ms) =>
        run(
          `INSERT INTO alerts (id, team_id, kind, severity, title, message, details, incident, resolved_at, created_at, updated_at)
           VALUES ($1, $2, 'health', 'warning', 'Test', 'Test.', '{}', $1, $3, $3, $3)`,
          ...[newId('alt'), owned.teamId, sqlTime(ms)],
        ),
    },
    health_history: {
      days: 30,
      insert: (ms) =>
        run(
          `INSERT INTO health_history (id, project_id, name, status, message, since, until)
           VALUES ($1, 'prj', 'test', 'pass', 'Fine.', $2, $2)`,
          ...[newId('hlt'), sqlTime(ms)],
        ),
    },
    imports: {
      days: 90,
      insert: async (ms) => {
        const id = newId('imp');
        await run(
          `INSERT INTO imports (id, project_id, source_format, status, on_conflict, batch_id, delimiter, header,
             unknown_columns, rows, finished_at, created_at, updated_at)
           VALUES ($1, $2, 'native', 'succeeded', 'skip', $1, ',', '[]', '[]', 1, $3, $3, $3)`,
          ...[id, await idOf('projects'), sqlTime(ms)],
        );
        await run(
          "INSERT INTO import_rows (import_id, line, part, outcome, field, message) VALUES ($1, 2, 0, 'failed', 'slug', 'Taken.')",
          id,
        );
      },
    },
    idempotency_records: {
      days: 0,
      insert: (ms) =>
        run(
          `INSERT INTO idempotency_records (key_id, idempotency_key, fingerprint, claim, leased_until, expires_at)
           VALUES ($1, $2, 'f', 'c', $3, $3)`,
          ...[owned.keyId, newId('lnk'), sqlTime(ms)],
        ),
    },
  };

  for (const [table, { days, insert }] of Object.entries(TABLES)) {
    it(`of ${table} goes after ${days} days, and not a moment before`, async () => {
      const boundary = NOW - days * DAY_MS;
      await Promise.all([insert(boundary - 1), insert(boundary - DAY_MS), insert(boundary + 1)]);
      await purgeOld(never());
      expect(await count(table)).to.equal(1);
      time.move(1);
      await purgeOld(never());
      expect(await count(table)).to.equal(0);
    });
  }

  it('of imports includes what became of their rows', async () => {
    await TABLES.imports?.insert(NOW - 91 * DAY_MS);
    await TABLES.imports?.insert(NOW);
    await purgeOld(never());
    expect([await count('imports'), await count('import_rows')]).to.deep.equal([1, 1]);
    time.move(100 * 86_400);
    await purgeOld(never());
    expect([await count('imports'), await count('import_rows')]).to.deep.equal([0, 0]);
  });

  it('goes in batches, and not when the process stops', async () => {
    for (let at = 0; at < 12; at += 1) await TABLES.audit_entries?.insert(NOW - 400 * DAY_MS - at);
    await inTransaction((transaction) =>
      recordAudit(transaction, 'operator', { action: 'team.active', teamId: owned.teamId, projectId: null }),
    );
    const stopped = new AbortController();
    stopped.abort();
    await purgeOld(stopped.signal);
    expect(await count('audit_entries')).to.equal(13);
    expect(await purgeAudit(5)).to.equal(true);
    expect(await count('audit_entries')).to.equal(8);
    expect(await purgeAudit(5)).to.equal(true);
    expect(await purgeAudit(5)).to.equal(false);
    expect(await count('audit_entries')).to.equal(1);
  });

  it('goes although another part of it cannot be deleted', async () => {
    await TABLES.audit_entries?.insert(NOW - 400 * DAY_MS);
    const before = await count('audit_entries');
    await run('ALTER TABLE mails RENAME TO mails_away');
    try {
      await purgeOld(never());
    } finally {
      await run('ALTER TABLE mails_away RENAME TO mails');
    }
    expect(await count('audit_entries')).to.equal(before - 1);
  });

  it('stays when it is written anew while it is looked at', async function () {
    // SQLite has one writer: nothing can come in between.
    if (dialect() === 'sqlite') return this.skip();
    const idempotencyKey = newId('lnk');
    const question = { keyId: owned.keyId, idempotencyKey, fingerprint: 'f' };
    await claimRequest(question);
    await run('UPDATE idempotency_records SET expires_at = $1, leased_until = $1', sqlTime(NOW - 1));
    let purged: Promise<boolean> | undefined;
    await inTransaction(async (transaction) => {
      const renew = 'UPDATE idempotency_records SET expires_at = $1 WHERE idempotency_key = $2';
      await queryRaw(renew, [sqlTime(NOW + DAY_MS), idempotencyKey], transaction);
      // Neither waits for whoever writes, nor deletes what they write.
      purged = purgeIdempotencyRecords(500);
      await purged;
    });
    expect(await purged).to.equal(false);
    expect(await count('idempotency_records')).to.equal(1);
  });

  it('is shared by several who delete at once', async () => {
    for (let at = 0; at < 60; at += 1) await TABLES.events?.insert(NOW - 40 * DAY_MS - at);
    await TABLES.events?.insert(NOW);
    const deleted = await Promise.all(
      Array.from({ length: 6 }, () =>
        deleteOldest({
          table: 'events',
          where: 'created_at < $1',
          values: [sqlTime(NOW - DAY_MS)],
          oldestBy: 'id',
          batch: 10,
        }),
      ),
    );
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).to.be.above(0);
    await purgeOld(never());
    expect(await count('events')).to.equal(1);
  });
});
