// stores: each
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Click, encodeClick } from '../../../src/clicks/click.ts';
import { drainFolder } from '../../../src/clicks/lost/drainFolder.ts';
import { nameOfJournal, signFolder } from '../../../src/clicks/lost/journalFolder.ts';
import { forgetJournal, readLost, recordReport } from '../../../src/clicks/lost/journalStore.ts';
import { ownJournals, startReports } from '../../../src/clicks/lost/reportJournal.ts';
import { takeOverAll } from '../../../src/clicks/lost/takeOver.ts';
import { isJournalWatchDue, showLostJournals, watchJournals } from '../../../src/clicks/lost/watchJournals.ts';
import { storedUntil } from '../../../src/clicks/storedUntil.ts';
import { database } from '../../../src/db/connection/database.ts';
import { lockDataDir } from '../../../src/db/dataDir.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { Team } from '../../../src/models/Team.ts';
import { makeClick, makeProject } from '../../support/clicks.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const MINUTE = 60;
const REPORT = {
  name: 'journal-1',
  host: 'redirect-1',
  folder: '/data/clicks',
  bytes: 500,
  oldestMs: 1_795_000_000_000,
};

describe('journals of processes that are gone', () => {
  let store: OpenStore;
  let shared: string;
  let projectId: string;

  beforeEach(async () => {
    store = await openStore();
    projectId = (await makeProject()).id;
    shared = await mkdtemp(path.join(tmpdir(), 'svc-shared-'));
  });
  afterEach(async () => {
    clock.reset();
    await store.close();
    await rm(shared, { recursive: true, force: true });
  });

  const clicks = (count: number): Click[] => Array.from({ length: count }, () => makeClick({ projectId }));
  const write = async (folder: string, name: string, lines: string[]) => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, name), lines.map((line) => `${line}\n`).join(''));
  };
  /** A DATA_DIR whose process is gone, with clicks that were written an hour ago. */
  const leave = async (name: string, left: Click[]) => {
    const folder = path.join(shared, name, 'clicks');
    await write(folder, '0000000001.log', left.map(encodeClick));
    await age(path.join(folder, '0000000001.log'));
    return folder;
  };
  const age = (file: string) => utimes(file, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600);
  const stored = async () => (await query<{ id: string }>('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id);
  const ids = (of: Click[]) => of.map(({ id }) => id).sort();
  const open = () => Alert.findAll({ where: { resolvedAt: null } });

  describe('are noticed', () => {
    before(function () {
      // SQLite has one process, and nobody who would notice.
      if (STORE === 'sqlite') this.skip();
    });
    let teamId: string;
    beforeEach(async () => {
      const [oldest, later] = [newId('team'), newId('team')];
      for (const [id, at] of [
        [later, '2026-02-01'],
        [oldest, '2026-01-01'],
      ] as const)
        await database().transaction((transaction) =>
          Team.create({ id, name: id, hasNoLimits: true, createdAt: new Date(at) }, { transaction }),
        );
      teamId = oldest;
    });
    const sweepFor = async (time: { move(seconds: number): void }, minutes: number) => {
      for (let at = 0; at < minutes; at += 1) {
        time.move(MINUTE);
        await watchJournals();
      }
    };

    it('but not those of the process itself, whose clock may have jumped', async () => {
      const time = stopClock();
      await recordReport(REPORT);
      ownJournals.add(REPORT.name);
      try {
        await sweepFor(time, 20);
        expect(await open()).to.deep.equal([]);
      } finally {
        ownJournals.delete(REPORT.name);
      }
    });

    it('after ten minutes: an alert of the operator, figures, and nobody waits for them', async () => {
      const time = stopClock();
      const begunMs = time.nowMs;
      await recordReport(REPORT);
      await inTransaction((transaction) =>
        queryRaw(
          'INSERT INTO click_drains (name, drained_until) VALUES ($1, $2)',
          [REPORT.name, sqlTime(begunMs)],
          transaction,
        ),
      );
      expect(await isJournalWatchDue()).to.equal(false);
      await sweepFor(time, 9);
      expect(await open()).to.deep.equal([]);
      expect(await storedUntil()).to.equal(begunMs);
      await sweepFor(time, 3);
      const [alert, ...others] = await open();
      expect(others).to.deep.equal([]);
      expect(alert).to.deep.include({ teamId, projectId: null, kind: 'lost_journal', severity: 'critical' });
      expect(alert?.details).to.deep.include({ host: 'redirect-1', folder: '/data/clicks', bytes: 500 });
      expect(await storedUntil()).to.equal(time.nowMs);
      showLostJournals();
      const shown = await registry.metrics();
      expect(shown).to.include('svc_click_journals_lost 1\n').and.to.include('svc_click_journals_lost_bytes 500\n');
      await sweepFor(time, 3);
      expect(await open()).to.have.lengthOf(1);
    });

    it('and no longer when the process is back, or has signed off', async () => {
      const time = stopClock();
      await recordReport(REPORT);
      await sweepFor(time, 13);
      expect(await open()).to.have.lengthOf(1);
      await recordReport({ ...REPORT, bytes: 0 });
      expect(await isJournalWatchDue()).to.equal(true);
      await watchJournals();
      expect(await open()).to.deep.equal([]);
      expect(await isJournalWatchDue()).to.equal(false);
      // The next silence is another incident.
      await sweepFor(time, 13);
      expect((await open()).map(({ severity }) => severity)).to.deep.equal(['warning']);
      await inTransaction((transaction) => forgetJournal(REPORT.name, transaction));
      await watchJournals();
      expect(await open()).to.deep.equal([]);
    });

    it('but nobody is taken for gone because the store was away', async () => {
      const time = stopClock();
      await recordReport(REPORT);
      time.move(60 * MINUTE);
      await watchJournals();
      expect(await open()).to.deep.equal([]);
      await recordReport(REPORT);
      await sweepFor(time, 1);
      expect(await open()).to.deep.equal([]);
    });

    it('and are forgotten when people resolve the alert', async () => {
      const time = stopClock();
      await recordReport(REPORT);
      await sweepFor(time, 13);
      await Alert.update({ resolvedAt: new Date(time.nowMs) }, { where: {} });
      await sweepFor(time, 2);
      expect(await open()).to.deep.equal([]);
      expect(await readLost()).to.deep.equal([]);
    });

    it('unless they stop with an empty journal', async () => {
      const folder = path.join(shared, 'own', 'clicks');
      await write(folder, '0000000001.log', clicks(2).map(encodeClick));
      const names = async () => await query<{ name: string; bytes: number }>('SELECT name, bytes FROM click_journals');
      const reports = startReports(folder);
      const [row] = await until(async () => ((await names()).length > 0 ? names() : null), 'a report');
      expect(row?.name).to.equal(nameOfJournal(folder));
      expect(row?.bytes).to.be.greaterThan(100);
      await reports.stop(false);
      expect(await names()).to.have.lengthOf(1);
      const again = startReports(folder);
      await again.stop(true);
      expect(await names()).to.deep.equal([]);
    });

    it('are taken over when the store has not heard of them for ten minutes either', async () => {
      const left = clicks(3);
      const folder = await leave('one', left);
      await signFolder(folder);
      const time = stopClock();
      await recordReport({ ...REPORT, name: nameOfJournal(folder), folder });
      await takeOverAll(shared, store.dataDir);
      expect(await stored()).to.deep.equal([]);
      await sweepFor(time, 13);
      expect(await open()).to.have.lengthOf(1);
      await takeOverAll(shared, store.dataDir);
      expect(await stored()).to.deep.equal(ids(left));
      expect(await open()).to.deep.equal([]);
      expect(await readLost()).to.deep.equal([]);
    });
  });

  it('are moved to the store once, with what is rejected and damaged said', async () => {
    const left = clicks(2500);
    const folder = await leave('one', left);
    await write(folder, '0000000002.log', [
      'no click',
      encodeClick(makeClick({ projectId, occurredAt: 9_000_000_000_000_000 })),
    ]);
    await appendFile(path.join(folder, '0000000002.log'), 'torn');
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true });
    const warnings: string[] = [];
    expect(await drainFolder(folder, (message) => warnings.push(message))).to.deep.equal({
      lines: 2502,
      moved: 2500,
      rejected: 1,
      damaged: 1,
      leftBytes: 0,
    });
    expect(warnings.join()).to.include('torn line');
    expect(await readdir(folder)).to.deep.equal(['rejected.log']);
    await drainFolder(copy, () => {});
    expect(await stored()).to.deep.equal(ids(left));
  });

  it('stay where they are while the store does not accept them', async () => {
    const folder = await leave('one', clicks(5));
    const rename = (from: string, to: string) =>
      inTransaction((transaction) => queryRaw(`ALTER TABLE ${from} RENAME TO ${to}`, [], transaction));
    await rename('clicks', 'gone');
    const drained = await drainFolder(folder, () => {});
    await rename('gone', 'clicks');
    expect(drained.moved).to.equal(0);
    expect(drained.leftBytes).to.be.greaterThan(0);
  });

  it('are taken over from a shared disk, by one process at a time', async () => {
    const [one, two] = [clicks(30), clicks(20)];
    await leave('one', one);
    await leave('two', two);
    await Promise.all([takeOverAll(shared, store.dataDir), takeOverAll(shared, store.dataDir)]);
    await takeOverAll(shared, store.dataDir);
    expect(await stored()).to.deep.equal(ids([...one, ...two]));
    expect((await readdir(path.join(shared, 'one'))).filter((name) => name.startsWith('clicks'))).to.deep.equal([]);
    const counted = await query<{ n: number }>('SELECT CAST(SUM(clicks) AS BIGINT) AS n FROM click_arrivals');
    expect(Number(counted[0]?.n)).to.equal(50);
  });

  it('are left alone while their process has the lock, has just written, or is this one', async () => {
    const locked = await leave('locked', clicks(1));
    const lock = await lockDataDir(path.dirname(locked));
    await leave('recent', clicks(1));
    await write(path.join(shared, 'recent', 'clicks'), '0000000002.log', clicks(1).map(encodeClick));
    await leave('own', clicks(1));
    await takeOverAll(shared, path.join(shared, 'own'));
    expect(await stored()).to.deep.equal([]);
    for (const name of ['locked', 'recent', 'own'])
      expect(existsSync(path.join(shared, name, 'clicks'))).to.equal(true);
    await lock.release();
    await takeOverAll(shared, path.join(shared, 'own'));
    expect(await stored()).to.have.lengthOf(1);
  });

  it('are taken up again after a crash in the middle', async () => {
    const left = clicks(10);
    const folder = await leave('one', left);
    await drainFolder(await leave('copy', left.slice(0, 5)), () => {});
    await rename(folder, path.join(shared, 'one', 'clicks.taken-2026-11-27T10-00-00.000Z-abcdef'));
    await takeOverAll(shared, path.join(shared, 'one'));
    expect(await stored()).to.deep.equal(ids(left));
  });
});
