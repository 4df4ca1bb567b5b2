import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rescanLinks } from '../../jobs/rescanLinks.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { clock } from '../../src/kernel/clock.ts';
import { config } from '../../src/kernel/config.ts';
import { Alert } from '../../src/models/Alert.ts';
import { Event } from '../../src/models/Event.ts';
import { Link } from '../../src/models/Link.ts';
import { until } from './until.ts';
import { useOwnWorld } from './world.ts';

/** A product whose links are scanned against a blocklist, with what tests of flags do there. */
export function useScannedLinks() {
  const world = useOwnWorld({ RESCAN_PAUSE_SECONDS: '1' });
  let folder: string;
  let lists = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  });
  afterEach(() => clock.reset());
  after(() => rm(folder, { recursive: true }));

  const show = async (id: string) => (await world.api('GET', `/links/${id}`)).body;
  /** As if these links had never been scanned; without ids all. */
  const forgetScans = (...ids: string[]) =>
    inTransaction((transaction) =>
      Link.update({ scannedAt: null }, { where: ids.length > 0 ? { id: ids } : {}, silent: true, transaction }),
    );
  return {
    world,
    /** Puts another blocklist in force. */
    async list(...hosts: string[]) {
      lists += 1;
      const file = path.join(folder, `list-${lists}.txt`);
      await writeFile(file, hosts.map((host) => `${host}\n`).join(''));
      config.blocklistFiles = file;
    },
    make: async (destination: string, body: object = {}) =>
      (await world.api('POST', '/links', { destination, ...body })).body,
    show,
    async typesOf(linkId: string) {
      const events = await Event.findAll({ where: { linkId } });
      return events
        .map(({ type }) => type)
        .filter((type) => type !== 'link.clicked')
        .sort();
    },
    alertsOf: (linkId: string) => Alert.findAll({ where: { linkId } }),
    forgetScans,
    async rescan() {
      await forgetScans();
      await rescanLinks();
    },
    review: (id: string) => world.api('POST', `/links/${id}/review`),
    flagged: (id: string) => until(async () => (await show(id)).status === 'flagged', 'the flag'),
  };
}
