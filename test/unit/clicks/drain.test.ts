// stores: each
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type Click, decodeClick, encodeClick } from '../../../src/clicks/click.ts';
import { type Drain, startDrain } from '../../../src/clicks/drain.ts';
import { type Journal, openJournal } from '../../../src/clicks/journal.ts';
import type { Segments } from '../../../src/clicks/moveSegment.ts';
import { database } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

/** Only `drainNow` runs it, but for the run at its start. */
const NEVER_MS = 3_600_000;
/** Later than any moment that a Date can hold: no store takes it. */
const NO_MOMENT = 9_000_000_000_000_000;

describe('the drain', () => {
  let store: OpenStore;
  let folder: string;
  let journal: Journal;
  let projectId: string;
  const drains: Drain[] = [];

  beforeEach(async () => {
    store = await openStore();
    projectId = (await makeProject()).id;
    folder = path.join(store.dataDir, 'clicks');
    journal = await openJournal({ folder, maxBytes: 1e8, sync: false });
  });
  afterEach(async () => {
    for (const drain of drains.splice(0)) await drain.stop();
    await journal.close();
    await store.close();
  });

  const start = (segments: Segments = journal, everyMs = NEVER_MS) => {
    const drain = startDrain({ journal: segments, everyMs, folder });
    drains.push(drain);
    return drain;
  };
  const append = async (...clicks: Click[]) => {
    await Promise.all(clicks.map((click) => journal.append(encodeClick(click))));
  };
  const click = (values: Partial<Click> = {}) => makeClick({ projectId, ...values });
  const stored = async () => (await query<{ id: string }>('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id);
  const counted = async () => {
    const sql = 'SELECT CAST(COALESCE(SUM(clicks), 0) AS BIGINT) AS n FROM click_arrivals';
    return (await query<{ n: number }>(sql))[0]?.n;
  };

  it('moves clicks to the store and forgets the segment', async () => {
    const clicks = Array.from({ length: 1200 }, () => click());
    await append(...clicks);
    await start().drainNow();
    expect(await stored()).to.deep.equal(clicks.map(({ id }) => id).sort());
    expect(journal.bytes()).to.equal(0);
  });

  it('runs by itself, again and again', async () => {
    start(journal, 10);
    await append(click());
    await until(async () => (await stored()).length === 1, 'the first click');
    await append(click());
    await until(async () => (await stored()).length === 2, 'the second click');
  });

  it('counts nothing twice when it dies between storing and forgetting', async () => {
    await append(click(), click());
    const dying: Segments = {
      seal: () => journal.seal(),
      read: (segment) => journal.read(segment),
      remove: () => Promise.reject(new Error('killed')),
    };
    await start(dying).drainNow();
    expect(await stored()).to.have.length(2);
    expect(journal.bytes()).to.be.above(0);
    await append(click());
    await start().drainNow();
    expect(await stored()).to.have.length(3);
    expect(await counted()).to.equal(3);
    expect(journal.bytes()).to.equal(0);
  });

  it('skips damaged lines and stores the others', async () => {
    const sound = [click(), click()];
    await append(sound[0] as Click);
    await journal.append('["not a click"]');
    await journal.append('\u0000{{{');
    await append(sound[1] as Click);
    await start().drainNow();
    expect(await stored()).to.deep.equal(sound.map(({ id }) => id).sort());
    expect(journal.bytes()).to.equal(0);
  });

  it('lays aside a click that the store refuses and stores the 499 around it', async () => {
    const clicks = Array.from({ length: 500 }, () => click());
    const poison = click({ occurredAt: NO_MOMENT });
    clicks[217] = poison;
    await append(...clicks);
    await start().drainNow();
    expect(await stored()).to.deep.equal(
      clicks
        .filter((one) => one !== poison)
        .map(({ id }) => id)
        .sort(),
    );
    expect(await counted()).to.equal(499);
    const rejected = (await readFile(path.join(folder, 'rejected.log'), 'utf8')).trimEnd().split('\n');
    expect(rejected.map(decodeClick)).to.deep.equal([poison]);
    expect(journal.bytes()).to.equal(0);
  });

  it('lays aside text that PostgreSQL cannot hold', async function () {
    if (database().getDialect() !== 'postgres') this.skip();
    await append(click(), click({ referrerHost: 'a\u0000b' }), click({ rule: '\ud800' }));
    await start().drainNow();
    expect(await stored()).to.have.length(1);
    const rejected = await readFile(path.join(folder, 'rejected.log'), 'utf8');
    expect(rejected.trimEnd().split('\n')).to.have.length(2);
  });

  it('keeps the clicks while the store is down and goes on when it is back', async () => {
    const drain = start(journal, 20);
    await drain.drainNow();
    await store.goAway();
    await append(click(), click());
    await drain.drainNow();
    await drain.drainNow();
    expect(journal.bytes()).to.be.above(0);
    await store.comeBack();
    await until(async () => (await stored()).length === 2, 'the clicks to arrive');
    await until(() => journal.bytes() === 0, 'the journal to be empty');
  });

  it('keeps the clicks when the store answers, but not as it should', async () => {
    await append(click());
    await database().transaction((transaction) =>
      database().query('ALTER TABLE click_arrivals RENAME TO hidden', { transaction }),
    );
    await start().drainNow();
    expect(await stored()).to.deep.equal([]);
    expect(journal.bytes()).to.be.above(0);
    await database().transaction((transaction) =>
      database().query('ALTER TABLE hidden RENAME TO click_arrivals', { transaction }),
    );
    await start().drainNow();
    expect(await stored()).to.have.length(1);
  });

  it('passes over a segment that cannot be read', async () => {
    await append(click());
    const unreadable = (await journal.seal())[0] as string;
    await append(click());
    const damaged: Segments = {
      seal: () => journal.seal(),
      remove: (segment) => journal.remove(segment),
      async *read(segment) {
        if (segment === unreadable) throw new Error('EIO');
        yield* journal.read(segment);
      },
    };
    await start(damaged).drainNow();
    expect(await stored()).to.have.length(1);
    expect(await journal.seal()).to.deep.equal([unreadable]);
  });

  it('drains a last time when it stops, and stops once', async () => {
    const drain = start();
    await drain.drainNow();
    await append(click());
    await Promise.all([drain.stop(), drain.stop()]);
    expect(await stored()).to.have.length(1);
  });

  it('takes over what an earlier process left', async () => {
    const left = click();
    await journal.close();
    await writeFile(path.join(folder, '0000000900.log'), `${encodeClick(left)}\n`);
    journal = await openJournal({ folder, maxBytes: 1e8, sync: false });
    await start().drainNow();
    expect(await stored()).to.deep.equal([left.id]);
  });

  it('marks the clicks of projects that somebody listens to', async () => {
    const quiet = (await makeProject()).id;
    const teamWide = (await makeProject()).id;
    await database().transaction(async (transaction) => {
      const add = (id: string, ofTeamOf: string, project: string | null, types: string[], status = 'enabled') =>
        database().query(
          `INSERT INTO webhooks (id, team_id, project_id, url, event_types, status, api_version, secrets, include_bots,
             circuit, consecutive_failures, created_at, updated_at)
           SELECT $1, team_id, $3, 'https://example.com', $4, $5, '2026-11-01', '', false, 'closed', 0, created_at, created_at
           FROM projects WHERE id = $2`,
          { bind: [id, ofTeamOf, project, JSON.stringify(types), status], transaction },
        );
      await add(newId('whk'), projectId, projectId, ['link.created', 'link.clicked']);
      await add(newId('whk'), teamWide, null, ['*']);
      await add(newId('whk'), quiet, quiet, ['link.clicked'], 'disabled');
      await add(newId('whk'), quiet, quiet, ['link.created']);
    });
    const heard = [click(), click({ projectId: teamWide })];
    await append(...heard, click({ projectId: quiet }), click({ trafficClass: 'prefetch' }));
    await start().drainNow();
    const rows = await query<{ id: string }>('SELECT id FROM clicks WHERE uncollected = :yes ORDER BY id', {
      yes: true,
    });
    expect(rows.map(({ id }) => id)).to.deep.equal(heard.map(({ id }) => id).sort());
  });
});
