// stores: postgres
import { mkdir, readdir, readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type Config, config } from '../../../src/kernel/config.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { readSnapshot } from '../../../src/redirect/readSnapshot.ts';
import { keepSnapshots } from '../../../src/redirect/snapshot.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { startWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://example.com/first';

describe('keeping snapshots of links', () => {
  let world: World;
  let mine: Config;
  let kept: { countFollow(linkId: string): void; stop(): Promise<void> } | null = null;
  let number = 0;

  before(async function () {
    // The embedded store has no process that only serves links.
    if (STORE !== 'postgres') this.skip();
    // Snapshots have every link of the store.
    world = await startWorld();
  });
  after(() => world?.stop());
  beforeEach(() => {
    number += 1;
    const dataDir = path.join(config.dataDir, `redirect-${number}`);
    mine = { ...config, role: 'redirect', dataDir, linkSnapshotSeconds: 1, linkSnapshotEntries: 1000 };
  });
  afterEach(async () => {
    await kept?.stop();
    kept = null;
  });

  const keep = async (more: Partial<Config> = {}) => {
    kept = await keepSnapshots({ ...mine, ...more }, { holder: `redirect-${number}`, inMemory: () => [] });
    return kept;
  };
  const folder = () => path.join(mine.dataDir, 'links');
  const generation = async () => {
    const [first = '{}'] = (await readFile(`${folder()}/snapshot`, 'utf8').catch(() => '{}')).split('\n');
    return JSON.parse(first).generation ?? 0;
  };
  const written = (after = 0) => until(async () => (await generation()) > after, 'a snapshot');
  const streams = async () => (await readdir(folder())).filter((name) => name.startsWith('changes-'));
  const destinationOf = async ({ slug }: MadeLink) =>
    (await readSnapshot(mine))?.links.find((link) => link.slug === slug)?.destination;
  /** A link that was announced as changed is not known until it has been read, and one change may be announced twice. */
  const leadsTo = (link: MadeLink, destination: string) =>
    until(async () => (await destinationOf(link)) === destination, `${link.slug} leading to ${destination}`);
  const change = async ({ id }: MadeLink, destination: string) =>
    expect((await world.api('PATCH', `/links/${id}`, { destination })).status).to.equal(200);
  const make = () => createLink(world.api, { destination: DESTINATION });

  it('loses no change while snapshots cannot be written, and ends the streams with the next one', async () => {
    const [link, other] = [await make(), await make()];
    let times = 0;
    await keep();
    await written();
    const before = await generation();
    // Nothing can be written to it, nor can it be removed.
    await mkdir(`${folder()}/snapshot.part`);
    try {
      await change(link, 'https://example.com/second');
      await leadsTo(link, 'https://example.com/second');
      signals.emitMissed();
      await until(async () => {
        times += 1;
        await change(other, `https://example.com/${times}`);
        return (await streams()).length > 1;
      }, 'another stream');
      await leadsTo(other, `https://example.com/${times}`);
      await leadsTo(link, 'https://example.com/second');
      expect(await generation()).to.equal(before);
    } finally {
      await rmdir(`${folder()}/snapshot.part`);
    }
    await written(before);
    await until(async () => (await streams()).every((name) => Number(name.slice(8)) > before), 'an end of the streams');
    await leadsTo(link, 'https://example.com/second');
    await leadsTo(other, `https://example.com/${times}`);
  });

  it('knows each link as it was last, while many are changed and snapshots are written all the time', async function () {
    this.timeout(60_000);
    const links = await Promise.all(Array.from({ length: 20 }, make));
    await keep();
    await written();
    const begun = await generation();
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(links.map((link) => change(link, `https://example.com/round-${round}`)));
      signals.emitMissed();
    }
    await written(begun);
    await until(async () => {
      const found = await Promise.all(links.map(destinationOf));
      return found.every((destination) => destination === 'https://example.com/round-14');
    }, 'the last change of each');
  });

  it('begins with what was followed most, also after a restart without anything in memory', async () => {
    const links = await Promise.all(Array.from({ length: 4 }, make));
    const [first, second] = links as [MadeLink, MadeLink];
    const { countFollow } = await keep({ linkSnapshotEntries: 3 });
    for (const { id } of [first, second, second, first, second]) countFollow(id);
    await written();
    await kept?.stop();
    const order = async () => (await readSnapshot(mine))?.links.map(({ slug }) => slug).slice(0, 2);
    const expected = [second.slug, first.slug];
    await keep({ linkSnapshotEntries: 3 });
    await written(await generation());
    expect(await order()).to.deep.equal(expected);
    await kept?.stop();
    // Its disk is gone: its row in the store is left.
    mine.dataDir += '-anew';
    await keep({ linkSnapshotEntries: 3 });
    await written();
    expect(await order()).to.deep.equal(expected);
  });
});
