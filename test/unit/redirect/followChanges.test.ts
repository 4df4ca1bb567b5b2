// stores: postgres
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { ChangeStream } from '../../../src/redirect/ChangeStream.ts';
import { followChanges } from '../../../src/redirect/followChanges.ts';
import { createLink } from '../../support/createLink.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

describe('following changes of links', () => {
  let world: World;
  let folder: string;
  let stream: ChangeStream;
  let following: { stop(): Promise<void> };
  let floods: number;
  let number = 0;

  before(async function () {
    // The statements are of PostgreSQL, because the embedded store has no process that only serves links.
    if (STORE !== 'postgres') this.skip();
    world = await joinWorld();
  });
  after(() => world?.stop());
  beforeEach(() => {
    number += 1;
    floods = 0;
    folder = path.join(config.dataDir, `links-${number}`);
    stream = new ChangeStream({ folder, generation: 1, maxBytes: 64 * 1024 * 1024, onWarning: () => {} });
    following = followChanges(stream, () => {
      floods += 1;
    });
  });
  afterEach(async () => {
    await following.stop();
    await stream.close();
  });

  const lines = async () => {
    const text =
      (await readdir(folder).catch(() => [])).length === 0 ? '' : await readFile(`${folder}/changes-1`, 'utf8');
    return text
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line));
  };
  const linked = async (slug: string) => (await lines()).filter(({ link }) => link?.slug === slug);

  it('writes that a link has changed and then how, and nothing more of one that is gone', async () => {
    const domain = config.linkDomain;
    const { id, slug } = await createLink(world.api, {
      destination: 'https://example.com/a',
      password: 'a password',
    });
    await until(async () => (await linked(slug)).length > 0, 'the link');
    const first = await lines();
    expect(first[0]).to.deep.equal({ changed: `${domain}/${slug}` });
    const [{ link }] = await linked(slug);
    expect(link).to.include({ id, destination: 'https://example.com/a' });
    expect(link.passwordHash).to.match(/^v2\./);
    await world.api('DELETE', `/links/${id}`);
    await until(async () => (await lines()).length > first.length, 'the next change');
    await delay(600);
    expect((await lines()).slice(first.length)).to.deep.equal([{ changed: `${domain}/${slug}` }]);
  });

  it('writes nothing that was read before the last change, and reads once more what could not be read', async () => {
    const { slug } = await createLink(world.api, { destination: 'https://example.com/a' });
    await until(async () => (await linked(slug)).length === 1, 'the link');
    const address = `${config.linkDomain}/${slug}`;
    await inTransaction(async (transaction) => {
      await queryRaw('LOCK TABLE links IN ACCESS EXCLUSIVE MODE', [], transaction);
      signals.emit('link', address);
      // It is being read.
      await delay(600);
      signals.emit('link', address);
    });
    await until(async () => (await linked(slug)).length > 1, 'the link once more');
    await delay(600);
    expect(await linked(slug)).to.have.length(2);
    await renameTable('links', 'away');
    signals.emit('link', address);
    await delay(600);
    await renameTable('away', 'links');
    await until(async () => (await linked(slug)).length === 3, 'the link when it can be read', 5000);
  });

  it('says how a project and its apps are now, and that it is deleted', async () => {
    signals.emit('project', 'prj_gone');
    for (const kind of ['project', 'shared'])
      await until(async () => (await lines()).some((line) => kind in line), `a line of its ${kind}`);
    expect(await lines()).to.deep.include.members([
      { changedProject: 'prj_gone' },
      { project: 'prj_gone', owner: null },
      { shared: { hostname: config.linkDomain, whose: config.sharedDomainApps, apps: [] } },
    ]);
  });

  it('gives up reading each of more changes than it can, but knows that they changed', async function () {
    this.timeout(30_000);
    const addresses = Array.from({ length: 100_000 }, (_, at) => `go.example.com/imported-${at}`);
    for (let at = 0; at < addresses.length; at += 250) {
      for (const address of addresses.slice(at, at + 250)) signals.emit('link', address);
      await delay(1);
    }
    expect(floods).to.be.within(1, 5);
    await stream.flush();
    expect((await lines()).filter(({ changed }) => changed)).to.have.length(addresses.length);
  });
});
