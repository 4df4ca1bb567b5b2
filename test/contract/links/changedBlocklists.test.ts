// stores: any
import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { walkBlocklists } from '../../../jobs/walkBlocklists.ts';
import { query } from '../../../src/db/query.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { claimWalk, endWalk, isWalked } from '../../../src/links/blocklistWalks.ts';
import { clearFlag } from '../../../src/links/flagService.ts';
import { createLink } from '../../support/createLink.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { type OwnWorld, startWorld } from '../../support/world.ts';

const GOOD = 'https://www.example.com/';

/** The URLs of a link: its destination and all others. */
const PLACES: Record<string, (url: string) => object> = {
  destination: (destination) => ({ destination }),
  expired_destination: (expired_destination) => ({ expired_destination }),
  rule: (destination) => ({ routing: { rules: [{ when: { country: ['DE'] }, destination }] } }),
  split: (destination) => ({
    routing: {
      split: [
        { name: 'a', destination: GOOD, weight: 1 },
        { name: 'b', destination, weight: 1 },
      ],
    },
  }),
  fallback: (fallback) => ({ routing: { open_app: true, ios: { fallback } } }),
  preview: (image_url) => ({ preview: { title: 'x', description: 'y', image_url } }),
};

describe('links to sites that are added to a blocklist later', () => {
  let world: OwnWorld;
  let folder: string;
  let file: string;
  let made = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    file = path.join(folder, 'list.txt');
    await write('old.example\n');
    world = await startWorld({ BLOCKLIST_FILES: file, BLOCKLIST_RELOAD_SECONDS: '1' });
  });
  after(async () => {
    await world.stop();
    await rm(folder, { recursive: true });
  });

  /** Appends, and sets a time of change in the past. */
  const write = async (text: string) => {
    made += 1;
    await (made === 1 ? writeFile(file, text) : appendFile(file, text));
    await utimes(file, 1_700_000_000 + made, 1_700_000_000 + made);
  };
  const shown = async ({ id }: { id: string }) => (await world.api('GET', `/links/${id}`)).body;
  const isFlagged = async (link: { id: string }) => (await shown(link)).status === 'flagged';

  it('are flagged soon, whichever of their URLs is listed; others are not', async () => {
    const links = await Promise.all(
      Object.values(PLACES).map((place) =>
        createLink(world.api, { destination: GOOD, ...place('https://cdn.bad.example/x') }),
      ),
    );
    const [beginning, other] = [
      await createLink(world.api, { destination: 'https://mixed.example/bad/1' }),
      await createLink(world.api, { destination: 'https://mixed.example/good' }),
    ];
    await write('bad.example\nhttps://mixed.example/bad/\n');
    for (const link of [...links, beginning]) await until(() => isFlagged(link), `the flag of ${link.slug}`);
    const places = await Promise.all(links.map(async (link) => (await shown(link)).flag_reason));
    expect(places.map((reason: string) => reason.split(':')[0])).to.deep.equal([
      'destination',
      'expired_destination',
      'routing.rules.0.destination',
      'routing.split.1.destination',
      'routing.ios.fallback',
      'preview.image_url',
    ]);
    const follow = async ({ slug }: { slug: string }) => (await rawRequest(world.origin, `/${slug}`)).status;
    expect([await follow(beginning), await follow(other)]).to.deep.equal([404, 302]);
    const alerts = await world.api('GET', '/alerts?kind=link_flagged');
    expect(alerts.body.data).to.have.length(links.length + 1);
  });

  it('are flagged in the archive too, so that none is restored', async () => {
    const [listed, other] = [
      await createLink(world.api, { destination: 'https://archived.example/' }),
      await createLink(world.api, { destination: 'https://www.example.com/archived' }),
    ];
    for (const { id } of [listed, other]) await world.api('PATCH', `/links/${id}`, { archived: true });
    await write('archived.example\n');
    await until(() => isFlagged(listed), 'the flag');
    await world.api('PATCH', `/links/${listed.id}`, { archived: false });
    expect((await rawRequest(world.origin, `/${listed.slug}`)).status).to.equal(404);
    const scannedAt = async () => {
      const [row] = await query<{ at: string | Date | null }>('SELECT scanned_at AS at FROM links WHERE id = :id', {
        id: other.id,
      });
      return row?.at ? new Date(row.at).getTime() : null;
    };
    const before = (await scannedAt()) as number;
    await world.api('PATCH', `/links/${other.id}`, { archived: false });
    await until(async () => ((await scannedAt()) ?? 0) > before, 'another scan', 30_000);
  });

  it('are flagged if they were created before a restart, unless an operator cleared them', async () => {
    const [link, cleared] = [
      await createLink(world.api, { destination: 'https://worse.example/' }),
      await createLink(world.api, { destination: 'https://cleared.example/' }),
    ];
    await write('cleared.example\n');
    await until(() => isFlagged(cleared), 'the flag');
    await clearFlag(cleared.id);
    await write('worse.example\n');
    await world.restart();
    await until(() => isFlagged(link), 'the flag');
    expect(await isFlagged(cleared)).to.equal(false);
  });

  it('are not scanned for again while nothing changes', async () => {
    await until(async () => {
      const [{ open = 1 } = {}] = await query<{ open: number }>(
        'SELECT COUNT(*) AS open FROM blocklist_walks WHERE finished_at IS NULL',
      );
      return Number(open) === 0;
    }, 'the scans');
    const before = await query('SELECT * FROM blocklist_walks ORDER BY fingerprint');
    await walkBlocklists(new AbortController().signal);
    expect(await query('SELECT * FROM blocklist_walks ORDER BY fingerprint')).to.deep.equal(before);
    expect(config.blocklistFiles).to.equal(file);
  });

  it('are scanned for by one process, and by another when that one dies', async () => {
    const time = stopClock();
    const print = 'a fingerprint';
    const held = (await claimWalk(print, null)) as number;
    expect(await claimWalk(print, null), 'another process').to.equal(null);
    time.move(50);
    const renewed = (await claimWalk(print, held)) as number;
    expect(renewed).to.equal(held + 50_000);
    time.move(61);
    const other = (await claimWalk(print, null)) as number;
    expect(other, 'after its death').to.be.a('number');
    await endWalk(print, renewed, true);
    expect(await isWalked(print, null), 'a process that lost the lease cannot end the scan').to.equal(false);
    await endWalk(print, other, true);
    const [row] = await query<{ lease: unknown }>(
      'SELECT lease_until AS lease FROM blocklist_walks WHERE fingerprint = :print',
      { print },
    );
    expect(row?.lease).to.equal(null);
    expect(await isWalked(print, other - 60_000)).to.equal(true);
    expect(await isWalked(print, other + 1), 'another list was used in between').to.equal(false);
    clock.reset();
  });
});
