// stores: each
import { expect } from 'chai';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { type NewEvent, recordEvents } from '../../../src/events/recordEvent.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Event } from '../../../src/models/Event.ts';
import type { Project } from '../../../src/models/Project.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { fanOut } from '../../../src/webhooks/fanOut.ts';
import { sampleEvent } from '../../../src/webhooks/samples.ts';
import { sealSecrets } from '../../../src/webhooks/secretService.ts';
import { makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { STORE } from '../../support/stores.ts';

const START_MS = Date.parse('2026-11-01T12:00:00.000Z');

describe('making the deliveries of events', () => {
  let store: OpenStore;
  let nowMs = START_MS;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    nowMs = START_MS;
    clock.use({ now: () => nowMs });
    for (const table of ['deliveries', 'events', 'webhooks'])
      await inTransaction((transaction) => queryRaw(`DELETE FROM ${table}`, [], transaction));
  });
  afterEach(() => clock.reset());

  /** A team with a project, and so many webhooks that want all of its events. */
  const makeTeam = async (webhooks = 1): Promise<Project> => {
    const project = await makeProject();
    const { id: projectId, teamId } = project;
    const common = { projectId, teamId, url: 'https://example.com/in', eventTypes: ['*'], apiVersion: '2026-11-01' };
    const rows = Array.from({ length: webhooks }, () => {
      const id = newId('whk');
      return { ...common, id, secrets: sealSecrets(id, [{ secret: 'whsec_1', expiresAt: null }]) };
    });
    await inTransaction((transaction) => Webhook.bulkCreate(rows, { transaction }));
    return project;
  };

  const makeTeams = async (count: number): Promise<Project[]> => {
    const teams: Project[] = [];
    for (let at = 0; at < count; at += 1) teams.push(await makeTeam());
    return teams;
  };

  /** So many events, each call and each five hundred a millisecond after those before. */
  const raise = async ({ id: projectId, teamId }: Project, count = 1): Promise<string[]> => {
    const { type, data } = sampleEvent('link.created', { projectId });
    const ids: string[] = [];
    for (let left = count; left > 0; left -= 500) {
      nowMs += 1;
      const events = Array.from({ length: Math.min(left, 500) }, () => ({ type, data, teamId, projectId }) as NewEvent);
      const made = await inTransaction((transaction) => recordEvents(transaction, events));
      ids.push(...made.map(({ id }) => id));
    }
    return ids;
  };

  const planned = async ({ id }: Project): Promise<string[]> =>
    (
      await queryRaw<{ event_id: string }>(
        'SELECT event_id FROM deliveries WHERE project_id = $1 ORDER BY due_at, event_at, id',
        [id],
      )
    ).map(({ event_id }) => event_id);

  const untilEmpty = async () => {
    let rounds = 0;
    while ((await fanOut()).count > 0) rounds += 1;
    return rounds;
  };

  const left = async () => Event.count({ where: { fannedOutAt: null } });

  for (const webhooks of [1, 5]) {
    it(`takes the first event of a team in the first round, behind 5,000 of a team with ${webhooks} webhook(s)`, async () => {
      const [busy, other] = [await makeTeam(webhooks), await makeTeam()];
      await raise(busy, 5000);
      const first = await raise(other);
      await fanOut();
      expect(await planned(other)).to.deep.equal(first);
      expect((await planned(busy)).length).to.be.above(0);
    });
  }

  it('gives each of several busy teams an equal share of a round', async () => {
    const teams = await makeTeams(4);
    for (const team of teams) await raise(team, 300);
    expect((await fanOut()).count).to.be.at.most(500);
    for (const team of teams) expect(await planned(team)).to.have.length(125);
  });

  it('takes all events of more than fifty teams in few rounds, and the busy ones delay nobody', async () => {
    const teams = await makeTeams(120);
    for (const [at, team] of teams.entries()) await raise(team, at % 40 === 0 ? 100 : 1);
    for (let round = 0; round < 4; round += 1) await fanOut();
    for (const team of teams) expect((await planned(team)).length, 'in the first rounds').to.be.above(0);
    await untilEmpty();
    expect(await left()).to.equal(0);
    expect((await planned(teams[0] as Project)).length).to.equal(100);
  });

  it('goes on with who was left when new events come to the teams that were served', async () => {
    const teams = await makeTeams(70);
    for (const team of teams) await raise(team);
    for (let round = 0; round < 3; round += 1) {
      await fanOut();
      for (const team of teams) if ((await planned(team)).length > 0) await raise(team);
    }
    for (const team of teams) expect((await planned(team)).length).to.be.above(0);
  });

  it('makes the deliveries of a team in the order of its events', async () => {
    const team = await makeTeam();
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push(...(await raise(team)));
    await untilEmpty();
    expect(await planned(team)).to.deep.equal(ids);
  });

  it('makes older events first when a round does not take all', async () => {
    const team = await makeTeam();
    const old = await raise(team, 500);
    await raise(team, 400);
    await fanOut();
    expect(await planned(team)).to.have.members(old);
  });

  it('ends the way of events that nobody waits for', async () => {
    const deaf = await makeTeam(0);
    await raise(deaf, 3);
    expect((await fanOut()).count).to.equal(3);
    expect((await fanOut()).count).to.equal(0);
    expect(await planned(deaf)).to.deep.equal([]);
    expect(await left()).to.equal(0);
  });

  it('makes nothing twice when an event is taken again', async () => {
    const team = await makeTeam(2);
    await raise(team, 10);
    await untilEmpty();
    const before = await queryRaw('SELECT * FROM deliveries ORDER BY id', []);
    expect(before).to.have.length(20);
    await inTransaction((transaction) => queryRaw('UPDATE events SET fanned_out_at = NULL', [], transaction));
    nowMs += 1000;
    await untilEmpty();
    expect(await queryRaw('SELECT * FROM deliveries ORDER BY id', [])).to.deep.equal(before);
    expect(await left()).to.equal(0);
  });

  it('makes one of each when several do it at once', async () => {
    const teams = [await makeTeam(2), await makeTeam()];
    for (const team of teams) await raise(team, 700);
    await Promise.all([untilEmpty(), untilEmpty(), untilEmpty()]);
    expect(await left()).to.equal(0);
    const [two, one] = await Promise.all(teams.map(planned));
    expect(two).to.have.length(1400);
    expect(new Set(two).size).to.equal(700);
    expect(new Set(one).size).to.equal(700);
    expect(one).to.have.length(700);
  });

  it('leaves what another process has in hand, and does not wait for it', async function () {
    if (STORE !== 'postgres') return this.skip();
    const team = await makeTeam();
    const ids = await raise(team, 20);
    await inTransaction(async (transaction) => {
      await queryRaw('SELECT id FROM events WHERE id = $1 FOR UPDATE', [ids[0]], transaction);
      expect((await fanOut()).count).to.equal(19);
    });
    expect(await planned(team)).to.have.members(ids.slice(1));
    expect((await fanOut()).count).to.equal(1);
    expect(await planned(team)).to.have.members(ids);
  });

  it('makes nothing when it fails half way, and all of it when it is tried again', async () => {
    const team = await makeTeam();
    await raise(team, 5);
    await renameTable('deliveries', 'deliveries_away');
    try {
      const isMade = await fanOut().then(
        () => true,
        () => false,
      );
      expect(isMade).to.equal(false);
    } finally {
      await renameTable('deliveries_away', 'deliveries');
    }
    expect(await left()).to.equal(5);
    expect((await fanOut()).count).to.equal(5);
    expect(await planned(team)).to.have.length(5);
  });
});
