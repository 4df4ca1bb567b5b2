// stores: each
import { expect } from 'chai';
import { database } from '../../../src/db/connection/database.ts';
import { insertRows, newRow, readRows, readRowsByIds, updateRows, upsertRows } from '../../../src/db/rows.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { snakeCase } from '../../../src/kernel/wire.ts';
import { Event } from '../../../src/models/Event.ts';
import { Install } from '../../../src/models/Install.ts';
import { Link } from '../../../src/models/Link.ts';
import { Project } from '../../../src/models/Project.ts';
import { makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const AT = new Date('2026-11-03T09:30:00.123Z');

describe('rows by their model', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  const event = (more: object = {}) => ({
    ...{ id: newId('evt'), type: 'link.created', teamId: 'team_a', tagIds: ['tag_z', 'tag_a'], createdAt: AT },
    data: { z: 1, a: { text: 'ü "quoted" \\ line\n', none: null } },
    ...more,
  });

  it('are read as they were inserted: text, numbers, flags, moments, JSON in its order, and what is left out', async () => {
    const row = event();
    await inTransaction((transaction) => insertRows(Event, [row], { transaction }));
    const [read] = await readRowsByIds(Event, [row.id]);
    expect(read?.get()).to.deep.equal({
      ...row,
      projectId: null,
      linkId: null,
      trafficClass: null,
      webhookId: null,
      fannedOutAt: null,
    });
    expect(JSON.stringify(read?.data)).to.equal(JSON.stringify(row.data));
    const { teamId } = await makeProject();
    const project = { id: newId('prj'), teamId, name: 'Made', apps: [], probabilisticMatching: false };
    await inTransaction((transaction) => insertRows(Project, [project], { transaction }));
    const [made] = await readRows(Project, 'id = $1', [project.id]);
    expect(made?.get()).to.include({ probabilisticMatching: false, matchWindowSeconds: 3600, defaultDomain: null });
  });

  it('are as Sequelize reads them', async () => {
    const row = event();
    await inTransaction((transaction) => insertRows(Event, [row], { transaction }));
    const [read] = await readRowsByIds(Event, [row.id]);
    const stored = await Event.findByPk(row.id, { rejectOnEmpty: true });
    expect(read?.get()).to.deep.equal(stored.get());
    expect(stored.changed()).to.equal(false);
  });

  it('give back what was inserted, and pass over what is there where the statement says so', async () => {
    const [one, other] = [event(), event()];
    const options = { onConflict: 'ON CONFLICT (id) DO NOTHING', returning: 'id' };
    await inTransaction((transaction) => insertRows(Event, [one], { transaction }));
    const inserted = await inTransaction((transaction) =>
      insertRows<{ id: string }>(Event, [one, other], { ...options, transaction }),
    );
    expect(inserted.map(({ id }) => id)).to.deep.equal([other.id]);
  });

  it('are inserted or changed by a key; what it keeps stays', async () => {
    const key = { projectId: newId('prj'), installId: 'install' };
    const install = { ...key, platform: 'ios', firstOpenedAt: AT, factors: [] };
    const [first, second] = [newId('ins'), newId('ins')];
    const upsert = (row: object) =>
      inTransaction((transaction) =>
        upsertRows(Install, [{ ...install, ...row }], { key: ['projectId', 'installId'], keeps: ['id'], transaction }),
      );
    await upsert({ id: first, appVersion: '1', createdAt: AT, updatedAt: AT });
    await upsert({ id: second, appVersion: '2' });
    const [read, ...others] = await readRows(Install, 'project_id = $1', [key.projectId]);
    expect(others).to.deep.equal([]);
    expect([read?.id, read?.appVersion, read?.createdAt]).to.deep.equal([first, '2', AT]);
    expect(read?.updatedAt).to.be.above(AT);
  });

  it('are changed by their ids, each to its own values and all to some', async () => {
    const rows = [event(), event(), event()];
    const [one, other, third] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    await inTransaction((transaction) => insertRows(Event, rows, { transaction }));
    const changes = [
      { id: one.id, trafficClass: 'bot', tagIds: [] },
      { id: other.id, trafficClass: null, tagIds: ['tag_b'] },
    ];
    await inTransaction((transaction) => updateRows(Event, changes, { fannedOutAt: AT }, transaction));
    const byId = new Map(
      (
        await readRowsByIds(
          Event,
          rows.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    expect(byId.get(one.id)).to.deep.include({ trafficClass: 'bot', tagIds: [], fannedOutAt: AT });
    expect(byId.get(other.id)).to.deep.include({ trafficClass: null, tagIds: ['tag_b'], fannedOutAt: AT });
    expect(byId.get(third.id)?.fannedOutAt).to.equal(null);
  });

  it('have columns that are in the store', async () => {
    const described = await database().getQueryInterface().describeTable('links');
    expect(Object.keys(described)).to.include.members(Object.keys(newRow(Link, {})).map(snakeCase));
  });
});
