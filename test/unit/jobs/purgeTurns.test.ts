// stores: any
import { expect } from 'chai';
import { purgeDeleted } from '../../../jobs/purgeDeleted.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { hasDeletionsToPurge, projectsToPurge, projectsToSweep } from '../../../src/deletion/purgeDeleted.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const OVER_SECONDS = 7 * 86_400 + 61;

describe('the turns of what is purged', () => {
  let store: OpenStore;
  let time: StoppedClock;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(() => {
    time = stopClock(NOW);
  });
  afterEach(() => clock.reset());

  const run = (sql: string, ...values: unknown[]) => inTransaction((transaction) => queryRaw(sql, values, transaction));
  const purge = (signal = new AbortController().signal) => purgeDeleted(signal);
  const storedProject = (id: string) => Project.unscoped().findByPk(id);
  /** Clicks, which arrive in a project that is gone too. */
  const addClicks = (projectId: string) =>
    run('INSERT INTO click_backlog (project_id, quarter, clicks) VALUES ($1, 1, 1)', projectId);
  const hasClicks = async (projectId: string) =>
    (await run('SELECT 1 AS one FROM click_backlog WHERE project_id = $1', projectId)).length > 0;

  /** Deleted projects of one team, each with clicks; sorted by id, as they are purged. */
  const deletedProjects = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newId('prj')).sort();
    await inTransaction(async (transaction) => {
      const { id: teamId } = await Team.create({ id: newId('team'), name: 'Team' }, { transaction });
      const deletionAt = new Date(NOW + 7 * DAY_MS);
      await Project.bulkCreate(
        ids.map((id) => ({ id, teamId, name: id, apps: [], deletionAt })),
        { transaction },
      );
    });
    for (const id of ids) await addClicks(id);
    return ids;
  };

  /** While `work` runs the clicks of this project cannot be deleted. */
  const whileStuck = async (projectId: string, work: () => Promise<void>) => {
    const when = `BEFORE DELETE ON click_backlog FOR EACH ROW WHEN (OLD.project_id = '${projectId}')`;
    if (dialect() === 'sqlite') await run(`CREATE TRIGGER stuck ${when} BEGIN SELECT RAISE(ABORT, 'stuck'); END`);
    else {
      await run(
        "CREATE OR REPLACE FUNCTION stuck() RETURNS trigger AS $$ BEGIN RAISE 'stuck'; END $$ LANGUAGE plpgsql",
      );
      await run(`CREATE TRIGGER stuck ${when} EXECUTE FUNCTION stuck()`);
    }
    try {
      await work();
    } finally {
      await run(`DROP TRIGGER stuck${dialect() === 'sqlite' ? '' : ' ON click_backlog'}`);
    }
  };

  it('leave a project alone whose time is not over any more', async () => {
    const [first = '', second = ''] = await deletedProjects(2);
    time.move(OVER_SECONDS);
    let asked = 0;
    const signal = {
      get aborted() {
        asked += 1;
        // The clock was ahead, and is set right while the first project is purged.
        if (asked === 3) time.move(-86_400);
        return false;
      },
    };
    await purge(signal as AbortSignal);
    expect(await storedProject(first), 'begun').to.equal(null);
    expect(await hasClicks(second)).to.equal(true);
    expect((await storedProject(second))?.purgeBeganAt).to.equal(null);
    time.move(86_400);
    await purge();
    expect(await storedProject(second)).to.equal(null);
  });

  it('come again an hour after a failure, so that nothing else waits', async () => {
    const [stuck = '', other = ''] = await deletedProjects(2);
    time.move(OVER_SECONDS);
    await whileStuck(stuck, async () => {
      await purge();
      expect([await hasClicks(stuck), await storedProject(other)]).to.deep.equal([true, null]);
      expect(await projectsToPurge()).to.deep.equal([]);
      expect(await hasDeletionsToPurge()).to.equal(false);
    });
    time.move(3600);
    expect(await hasDeletionsToPurge()).to.equal(true);
    await purge();
    expect(await storedProject(stuck)).to.equal(null);
  });

  it('come again an hour after a failure too where something has arrived late', async () => {
    const [stuck = ''] = await deletedProjects(1);
    time.move(OVER_SECONDS);
    await purge();
    expect(await storedProject(stuck)).to.equal(null);
    await addClicks(stuck);
    time.move(3600);
    await whileStuck(stuck, async () => {
      expect((await projectsToSweep()).map(({ id }) => id)).to.include(stuck);
      await purge();
      expect(await hasClicks(stuck)).to.equal(true);
      expect(await projectsToSweep()).to.deep.equal([]);
    });
    time.move(3600);
    await purge();
    expect(await hasClicks(stuck)).to.equal(false);
  });
});
