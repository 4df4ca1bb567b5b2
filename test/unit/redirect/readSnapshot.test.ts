// stores: none
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Config, loadConfig } from '../../../src/kernel/config.ts';
import { log } from '../../../src/kernel/log.ts';
import { openSecrets } from '../../../src/kernel/secrets.ts';
import type { RedirectRow } from '../../../src/redirect/loadLink.ts';
import { readCounts, readSnapshot } from '../../../src/redirect/readSnapshot.ts';
import { FORMAT, type Line, sealed, textOf } from '../../../src/redirect/snapshotLines.ts';

const HOST = 'go.example.com';
const AT = '2026-11-28T00:00:00.000Z';
const APP = { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' } as never;

function row(slug: string, more: Partial<RedirectRow> = {}): RedirectRow {
  const nothing = { utm: null, expiredDestination: null, clickLimit: null, routing: null, title: null, preview: null };
  const always = { archivedAt: null, flaggedAt: null, startsAt: null, expiresAt: null, passwordHash: null };
  return {
    ...{ ...nothing, ...always, id: `lnk_${slug}`, projectId: 'prj_1', domain: HOST, slug, clicks: 0, tagIds: [] },
    ...{ destination: `https://example.com/${slug}`, owner: { teamId: 'team_1', apps: [] }, ...more },
  };
}

const start = (generation: number, format = FORMAT): Line => ({ start: format, generation, at: AT });
const domain = (hostname: string, projectId: string) => ({
  domain: {
    ...{ hostname, projectId, isDeleted: false },
    ...{ rootDestination: null, notFoundDestination: null, expiredDestination: null },
  },
});

describe('reading a snapshot of links and the changes after it', () => {
  let dataDir: string;
  let level: typeof log.level;
  let config: Config;

  before(async () => {
    level = log.level;
    log.level = 'silent';
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    config = loadConfig({ DATA_DIR: dataDir, LINK_DOMAIN: HOST, BASE_URL: 'http://base.example.com' });
    await openSecrets({ secretKey: 'a secret key that only tests use, long enough', secretKeyPrevious: [], dataDir });
  });
  beforeEach(async () => {
    await rm(path.join(dataDir, 'links'), { recursive: true, force: true });
    await mkdir(path.join(dataDir, 'links'), { recursive: true });
  });
  after(async () => {
    log.level = level;
    await rm(dataDir, { recursive: true, force: true });
  });

  const write = (name: string, text: string) => writeFile(path.join(dataDir, 'links', name), text);
  const writeWhole = (generation: number, lines: Line[]) => {
    const end = { end: lines.filter((line) => 'link' in line).length };
    return write('snapshot', textOf([start(generation), ...lines, end]));
  };
  const writeChanges = (generation: number, lines: Line[], torn = '') =>
    write(`changes-${generation}`, textOf([start(generation), ...lines]) + torn);
  const destinations = async () =>
    Object.fromEntries((await readSnapshot(config))?.links.map(({ slug, destination }) => [slug, destination]) ?? []);

  it('does not know what has changed until a later line says how', async () => {
    await writeWhole(3, [{ link: row('a') }, { link: row('b') }, { link: row('c') }]);
    await writeChanges(3, [
      { changed: `${HOST}/a` },
      { changed: `${HOST}/b` },
      { link: sealed(row('b', { destination: 'https://example.com/other' })) },
      { changed: `${HOST}/unknown` },
      { link: row('new') },
    ]);
    // A changed link keeps its place in the order.
    expect((await readSnapshot(config))?.links.map(({ slug }) => slug)).to.deep.equal(['b', 'c', 'new']);
    expect((await destinations()).b).to.equal('https://example.com/other');
  });

  it('reads the streams of its generation and of later ones in order, and none of earlier ones', async () => {
    await writeWhole(10, [{ link: row('a') }, { link: row('b') }]);
    await writeChanges(9, [{ changed: `${HOST}/b` }]);
    await writeChanges(10, [{ changed: `${HOST}/a` }, { link: row('a', { destination: 'https://example.com/10' }) }]);
    await writeChanges(11, [{ changed: `${HOST}/a` }, { link: row('a', { destination: 'https://example.com/11' }) }]);
    expect(await destinations()).to.deep.equal({ a: 'https://example.com/11', b: 'https://example.com/b' });
  });

  it('leaves out torn lines, at the end or before a line that was written again', async () => {
    await writeWhole(1, [{ link: row('a') }, { link: row('b') }]);
    await writeChanges(1, [{ changed: `${HOST}/a` }], `{"chan\n${textOf([{ changed: `${HOST}/b` }])}{"link":{"id":"ln`);
    expect(await destinations()).to.deep.equal({});
    await write('changes-1', '{"star');
    expect(await destinations()).to.have.keys('a', 'b');
    await write('changes-1', '');
    expect(await destinations()).to.have.keys('a', 'b');
  });

  it('is not used when none is kept any more', async () => {
    await writeWhole(1, [{ link: row('a') }]);
    expect(await readSnapshot({ ...config, linkSnapshotEntries: 0 })).to.equal(null);
  });

  it('is not used without its end, or when it or its changes are of another version', async () => {
    await write('snapshot', textOf([start(1), { link: row('a') }]));
    expect(await readSnapshot(config)).to.equal(null);
    await write('snapshot', textOf([start(1, '0 of 0'), { link: row('a') }, { end: 1 }]));
    expect(await readSnapshot(config)).to.equal(null);
    await writeWhole(1, [{ link: row('a') }]);
    await write('changes-2', textOf([start(2, '0 of 0'), { changed: `${HOST}/a` }]));
    expect(await readSnapshot(config)).to.equal(null);
  });

  it('follows no link of a project that has changed until it is known how, and none of a deleted one', async () => {
    const links = [{ link: row('a') }, { link: row('b', { projectId: 'prj_2' }) }];
    await writeWhole(1, links);
    await writeChanges(1, [{ changedProject: 'prj_1' }]);
    expect(await destinations()).to.have.keys('b');
    await writeChanges(2, [{ project: 'prj_1', owner: { teamId: 'team_1', apps: [APP] } }]);
    const [first] = (await readSnapshot(config))?.links ?? [];
    expect(first).to.deep.include({ slug: 'a', apps: [APP] });
    await writeChanges(3, [{ changedProject: 'prj_1' }, { project: 'prj_1', owner: null }]);
    expect(await destinations()).to.have.keys('b');
  });

  it('knows the apps of domains as of the last change of their project', async () => {
    const shared = { shared: { hostname: HOST, whose: 'first' as const, apps: [APP] } };
    const owner = { teamId: 'team_1', apps: [APP] };
    await writeWhole(1, [{ project: 'prj_1', owner }, domain('links.example.com', 'prj_1'), shared]);
    const apps = async () =>
      Object.fromEntries((await readSnapshot(config))?.apps.map((found) => [found.hostname, found.apps]) ?? []);
    expect(await apps()).to.deep.equal({ 'links.example.com': [APP], [HOST]: [APP] });
    await writeChanges(1, [{ changedProject: 'prj_1' }]);
    expect(await apps()).to.deep.equal({});
    await writeChanges(2, [{ project: 'prj_1', owner: { ...owner, apps: [] } }]);
    expect(await apps()).to.deep.equal({ 'links.example.com': [] });
    await writeChanges(3, [shared, { changedDomain: 'links.example.com' }]);
    expect(await apps()).to.deep.equal({ [HOST]: [APP] });
    await writeChanges(4, [{ shared: { ...shared.shared, whose: 'all' } }]);
    expect(await apps()).to.deep.equal({});
  });

  it('has no readable hash of a password in its lines, and none that another link could use', async () => {
    const passwordHash = '$argon2id$the hash';
    const link = sealed(row('a', { passwordHash }));
    await writeWhole(1, [{ link: row('a') }]);
    await writeChanges(1, [{ changed: `${HOST}/a` }, { link }]);
    expect(textOf([{ link }])).to.not.include('argon2id');
    expect((await readSnapshot(config))?.links[0]?.passwordHash).to.equal(passwordHash);
    await writeChanges(1, [{ link: { ...link, id: 'lnk_b' } }]);
    expect(await readSnapshot(config)).to.equal(null);
  });

  it('gives back how often links were followed', async () => {
    await writeWhole(1, [
      { follows: 12.5, link: sealed(row('a')) },
      { follows: 0, link: sealed(row('b')) },
    ]);
    const counts: [string, number][] = [];
    for await (const count of readCounts(path.join(dataDir, 'links'))) counts.push(count);
    expect(counts).to.deep.equal([
      ['lnk_a', 12.5],
      ['lnk_b', 0],
    ]);
  });
});
