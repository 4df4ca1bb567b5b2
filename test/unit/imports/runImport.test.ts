// stores: each
import { expect } from 'chai';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { linkRules } from '../../../schema/links/linkRules.ts';
import type { KeyPrincipal } from '../../../src/access/principal.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { claimImport, freeImports } from '../../../src/imports/importClaims.ts';
import { sourceOf, startImport } from '../../../src/imports/importService.ts';
import { runImport } from '../../../src/imports/runImport.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { useLinkRules } from '../../../src/links/linkInput.ts';
import { Event } from '../../../src/models/Event.ts';
import { Import } from '../../../src/models/Import.ts';
import { ImportChunk } from '../../../src/models/ImportChunk.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Project } from '../../../src/models/Project.ts';
import { makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const FILE = `destination,tags\n${Array.from({ length: 20 }, (_, at) => `https://example.com/${at},t${at % 3}\n`).join('')}`;

describe('running imports', () => {
  let store: OpenStore;
  let project: Project;

  before(async () => {
    store = await openStore({ IMPORT_BATCH_ROWS: '5' });
    useLinkRules(linkRules(buildGraphqlSchema()));
    project = await makeProject();
  });
  after(() => store.close());
  afterEach(() => clock.reset());

  const start = (csv = FILE, more = {}) => {
    const { id: projectId, teamId } = project;
    const principal: KeyPrincipal = {
      kind: 'key',
      keyId: 'key_1',
      keyKind: 'secret',
      projectId,
      teamId,
      scopes: new Set(['links:write']),
    };
    return startImport(principal, { projectId, ...more }, sourceOf(undefined, csv));
  };

  const claim = async () => (await claimImport()) as Import;
  const now = (id: string) => Import.findByPk(id, { rejectOnEmpty: true });
  const landed = (batchId: string) => Link.count({ where: { batchId } });
  /** A signal that lets so many batches through. */
  const stopAfter = (batches: number): AbortSignal => {
    let left = batches;
    return {
      get aborted() {
        left -= 1;
        return left < 0;
      },
    } as AbortSignal;
  };

  it('go on after a stop where they stood', async () => {
    const { id, batchId } = await start();
    await runImport(await claim(), stopAfter(2));
    expect(await landed(batchId)).to.equal(10);
    expect((await now(id)).claim).to.equal(null);
    await runImport(await claim(), stopAfter(Number.POSITIVE_INFINITY));
    const done = await now(id);
    expect(done).to.include({ status: 'finished', created: 20, failed: 0 });
    const links = await Link.findAll({ where: { batchId }, attributes: ['destination'] });
    expect(new Set(links.map(({ destination }) => destination)).size).to.equal(20);
    expect(links).to.have.length(20);
    expect(await ImportChunk.count({ where: { importId: id } })).to.equal(0);
    const events = (await Event.findAll()).filter(({ data }) => data.batch_id === batchId);
    expect(events).to.have.length(1);
    expect(events[0]?.data.link_ids).to.have.length(20);
  });

  it('run one at a time for a team, also when several are claimed at once', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.push((await start('destination\nhttps://example.com\n')).id);
    const claims = await whileUpdatesAreSlow(() => Promise.all(ids.map(() => claimImport())));
    const claimed = claims.filter((one) => one !== null);
    expect(claimed.map(({ id }) => id)).to.deep.equal([ids[0]]);
    for (let one: Import | null = claimed[0] as Import; one; one = await claimImport())
      await runImport(one, stopAfter(Number.POSITIVE_INFINITY));
    for (const id of ids) expect((await now(id)).status).to.equal('finished');
  });

  it('go on in another process when theirs dies, which can write nothing more', async () => {
    const { id, batchId } = await start();
    const dead = await claim();
    expect(await claimImport()).to.equal(null);
    const later = Date.now() + config.importLeaseSeconds * 1000;
    clock.use({ now: () => later });
    const other = await claim();
    await runImport(other, stopAfter(1));
    expect(await landed(batchId)).to.equal(5);
    await runImport(dead, stopAfter(Number.POSITIVE_INFINITY));
    expect(await landed(batchId)).to.equal(5);
    await runImport(await claim(), stopAfter(Number.POSITIVE_INFINITY));
    expect(await landed(batchId)).to.equal(20);
    expect((await now(id)).status).to.equal('finished');
  });

  it('are free again after the only process has died', async () => {
    const { id } = await start();
    await claim();
    await freeImports();
    const again = await claim();
    expect(again.id).to.equal(id);
    await runImport(again, stopAfter(Number.POSITIVE_INFINITY));
  });

  it('begin anew when they are dry', async () => {
    const { id } = await start(`external_id,destination\n${'a,https://example.com\n'.repeat(8)}`, { dryRun: true });
    await runImport(await claim(), stopAfter(1));
    await runImport(await claim(), stopAfter(Number.POSITIVE_INFINITY));
    expect(await now(id)).to.include({ status: 'finished', created: 1, skipped: 7 });
  });

  it('fail after three faults of ours that no row is to blame for', async () => {
    const { id, batchId } = await start();
    useLinkRules({ create: brokenRule, update: brokenRule, upsert: brokenRule });
    for (const breakdowns of [1, 2]) {
      await runImport(await claim(), stopAfter(Number.POSITIVE_INFINITY));
      expect(await now(id)).to.include({ status: 'running', breakdowns });
    }
    await runImport(await claim(), stopAfter(Number.POSITIVE_INFINITY));
    const failed = await now(id);
    expect(failed.status).to.equal('failed');
    expect(failed.message).to.match(/fault of ours/);
    expect(await landed(batchId)).to.equal(0);
    expect(await claimImport()).to.equal(null);
  });
});

/** On PostgreSQL each update of an import takes a while, so that claims at the same time really overlap. */
async function whileUpdatesAreSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  if (dialect() !== 'postgres') return work();
  await queryRaw(
    `CREATE FUNCTION slowly() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END' LANGUAGE plpgsql`,
    [],
  );
  await queryRaw('CREATE TRIGGER slowly BEFORE UPDATE ON imports FOR EACH ROW EXECUTE FUNCTION slowly()', []);
  try {
    return await work();
  } finally {
    await queryRaw('DROP TRIGGER slowly ON imports', []);
  }
}

function brokenRule(): never {
  throw new Error('a bug');
}
