// stores: each
import { expect } from 'chai';
import { purgeDeleted } from '../../../jobs/purgeDeleted.ts';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { insertTeam } from '../../../src/accounts/newTeam.ts';
import { recordAudit } from '../../../src/audit/recordAudit.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { openStoreIn, queryRaw } from '../../../src/db/query.ts';
import { tablesOf } from '../../../src/db/tables.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { hasDeletionsToPurge, purgesOfProject } from '../../../src/deletion/purgeDeleted.ts';
import { clock, DAY_MS, dayOf } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const OWNERS = ['project_id', 'team_id'];
/** Each after those that its rows refer to; the others in any order. */
const FIRST = ['users', 'api_keys', 'tags', 'links', 'webhooks', 'imports', 'deliveries'];

interface Column {
  name: string;
  type: string;
  isOptional: boolean;
}

describe('the purge of what was deleted', () => {
  let store: OpenStore;
  let time: StoppedClock;
  let tables: Map<string, Column[]>;
  let deleted: Project;
  let kept: Project;
  let numbers = 0;

  before(async () => {
    store = await openStore();
    await firstStart({ ownerEmail: 'owner@example.com', ownerPassword: 'a password of this test' });
    tables = await readTables();
  });
  after(() => store.close());
  beforeEach(async () => {
    time = stopClock(NOW);
    [deleted, kept] = await newTeamWithTwo();
  });
  afterEach(() => clock.reset());

  const run = <Row extends object>(sql: string, ...values: unknown[]) =>
    inTransaction((transaction) => queryRaw<Row>(sql, values, transaction));
  const purge = (signal = new AbortController().signal) => purgeDeleted(signal);
  const remove = (owner: Project | Team, more: object = {}) =>
    inTransaction((transaction) =>
      (owner as Project).update({ deletionAt: new Date(NOW + 7 * DAY_MS), ...more }, { transaction }),
    );

  const newTeamWithTwo = async (): Promise<[Project, Project]> => {
    const ownerId = (await run<{ id: string }>('SELECT id FROM users LIMIT 1'))[0]?.id ?? '';
    return inTransaction(async (transaction) => {
      const { team, project } = await insertTeam({ name: 'Team', ownerId, hasNoLimits: true }, transaction);
      const row = { id: newId('prj'), teamId: team.id, name: 'Other', apps: [] };
      return [project, await Project.create(row, { transaction })];
    });
  };

  /** Every table of the store, with its columns. */
  const readTables = async () => {
    const rows = await run<Column & { table: string; is_optional: boolean | number }>(
      dialect() === 'sqlite'
        ? `SELECT m.name AS "table", c.name, c.type, (c."notnull" = 0 AND c.pk = 0) OR c.dflt_value IS NOT NULL AS is_optional
           FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'link_search%'`
        : `SELECT table_name AS "table", column_name AS name, data_type AS type,
             is_nullable = 'YES' OR column_default IS NOT NULL AS is_optional
           FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const names = await tablesOf(openStoreIn());
    const columns = rows
      .filter(({ table }) => names.includes(table))
      .map((row) => ({ ...row, isOptional: Boolean(row.is_optional) }));
    return Map.groupBy(columns, ({ table }) => table);
  };

  const owned = () => [...tables].filter(([, columns]) => columns.some(({ name }) => OWNERS.includes(name)));
  /** Tables of things that a project owns through another thing. */
  const DEPENDENT = ['attempts', 'idempotency_records', 'import_chunks', 'import_rows', 'link_tags', 'replays'];

  const valueFor = ({ name, type }: Column, ids: Record<string, string>) => {
    if (name in ids) return ids[name];
    // Clicks for matching are kept for three days, whoever they belong to.
    if (name === 'day') return dayOf(NOW) + 7;
    if (/tinyint|bool/i.test(type)) return dialect() === 'sqlite' ? 0 : false;
    if (/char|text/i.test(type) && !/json/i.test(type)) return `${name} ${newId('evt')}`;
    if (/int|double|real|numeric/i.test(type)) {
      numbers += 1;
      return numbers;
    }
    if (/json/i.test(type)) return '{}';
    if (/blob|bytea/i.test(type)) return Buffer.from('x');
    return sqlTime(NOW);
  };

  /** One row in each table that has a project or a team, and in those that hang on them. Returns the tables. */
  const fill = async ({ id, teamId }: Pick<Project, 'id' | 'teamId'>): Promise<string[]> => {
    const ids: Record<string, string> = { project_id: id, team_id: teamId };
    const names = [...owned().map(([name]) => name), ...DEPENDENT].filter(
      (name) => !['projects', 'memberships'].includes(name),
    );
    const inOrder = [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))];
    for (const table of inOrder) {
      const row: Record<string, string> = { ...ids, id: newId('evt') };
      const columns = (tables.get(table) ?? []).filter(
        (column) => column.name !== 'row' && (!column.isOptional || OWNERS.includes(column.name)),
      );
      const values = columns.map((column) => valueFor(column, row));
      const marks = columns.map((column, at) =>
        /json$/i.test(column.type) ? `CAST($${at + 1} AS ${column.type})` : `$${at + 1}`,
      );
      await run(
        `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${marks.join(', ')})`,
        ...values,
      );
      const reference = {
        links: 'link_id',
        webhooks: 'webhook_id',
        tags: 'tag_id',
        imports: 'import_id',
        api_keys: 'key_id',
        deliveries: 'delivery_id',
      }[table];
      if (reference) ids[reference] = row.id as string;
    }
    return inOrder;
  };

  const rowsOf = async (column: string, id: string) => {
    const found: string[] = [];
    for (const [table, columns] of owned()) {
      if (!columns.some(({ name }) => name === column)) continue;
      const rows = await run(`SELECT 1 AS one FROM ${table} WHERE ${column} = $1`, id);
      if (rows.length > 0) found.push(table);
    }
    return found;
  };
  const countAll = async (names: string[]) => {
    const counts: Record<string, number> = {};
    for (const table of names)
      counts[table] = Number((await run<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n);
    return counts;
  };

  it('takes everything of a project in every table that has one, and nothing of another', async () => {
    const ofTeam = (name: string) => !tables.get(name)?.some((column) => column.name === 'project_id');
    const names = (await fill(kept)).filter((name) => DEPENDENT.includes(name) || !ofTeam(name));
    const before = await countAll(names);
    const keptTables = await rowsOf('project_id', kept.id);
    await fill(deleted);
    await inTransaction((transaction) =>
      recordAudit(transaction, 'operator', {
        action: 'project.deleted',
        teamId: deleted.teamId,
        projectId: deleted.id,
      }),
    );
    await remove(deleted);
    await purge();
    expect(await rowsOf('project_id', deleted.id), 'before its time').to.include.members(keptTables);
    time.move(7 * 86_400 + 61);
    expect(await hasDeletionsToPurge()).to.equal(true);
    await purge();
    expect(await rowsOf('project_id', deleted.id)).to.deep.equal(['audit_entries']);
    expect(await Project.unscoped().findByPk(deleted.id)).to.equal(null);
    expect(await rowsOf('project_id', kept.id)).to.deep.equal(keptTables);
    // Of the audit log its deletion and its purge stay, and its domain is remembered as released.
    const { audit_entries: entries = 0, events = 0, alerts = 0, ...others } = before;
    const after = await countAll(names);
    expect(after).to.deep.include(others);
    expect([after.audit_entries, after.events, after.alerts]).to.deep.equal([entries + 2, events, alerts]);
    const stays = await AuditEntry.findAll({ where: { projectId: deleted.id }, order: ['id'] });
    expect(stays.map(({ action }) => action)).to.deep.equal(['project.deleted', 'project.purged']);
    expect(await hasDeletionsToPurge()).to.equal(false);
  });

  it('goes on after a kill between two batches', async () => {
    await fill(deleted);
    await remove(deleted);
    time.move(7 * 86_400 + 61);
    const purges = purgesOfProject(deleted);
    for (const [at, step] of purges.entries()) {
      await step(1);
      // Killed here; the next process begins anew.
      if (at % 10 === 9) {
        const stopped = new AbortController();
        stopped.abort();
        await purge(stopped.signal);
        expect(await Project.unscoped().findByPk(deleted.id)).to.not.equal(null);
      }
    }
    await purge();
    expect(await rowsOf('project_id', deleted.id)).to.deep.equal(['audit_entries']);
  });

  it('takes what arrives late, such as clicks of a process that was cut off', async () => {
    await remove(deleted);
    time.move(7 * 86_400 + 61);
    await purge();
    await run('INSERT INTO click_backlog (project_id, quarter, clicks) VALUES ($1, 1, 1)', deleted.id);
    expect(await hasDeletionsToPurge()).to.equal(false);
    time.move(3600);
    expect(await hasDeletionsToPurge()).to.equal(true);
    await purge();
    expect(await rowsOf('project_id', deleted.id)).to.deep.equal(['audit_entries']);
    time.move(31 * 86_400);
    await purge();
    expect(await run('SELECT id FROM purged_projects WHERE id = $1', deleted.id)).to.deep.equal([]);
  });

  it('takes everything of a team, with its projects', async () => {
    await fill(deleted);
    await fill(kept);
    const others = await newTeamWithTwo();
    await fill(others[0]);
    const before = await rowsOf('team_id', others[0].teamId);
    const team = await Team.findByPk(deleted.teamId, { rejectOnEmpty: true });
    await remove(team);
    // The other one has no date of its own, as if it was created while the team was deleted.
    await remove(deleted, { deletedWithTeam: true });
    time.move(7 * 86_400 + 61);
    await purge();
    expect(await rowsOf('team_id', team.id)).to.deep.equal([]);
    for (const { id } of [deleted, kept]) expect(await rowsOf('project_id', id)).to.deep.equal([]);
    expect(await Team.unscoped().findByPk(team.id)).to.equal(null);
    expect(await rowsOf('team_id', others[0].teamId)).to.deep.equal(before);
  });
});
