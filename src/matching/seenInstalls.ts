import { type Dialect, dialect } from '../db/database.ts';
import { deleteSome } from '../db/deleteSome.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { dayOf } from '../kernel/durations.ts';
import type { SeenInstall } from './beside.ts';
import { type AddressOfDay, addressKey } from './matchClicks.ts';

/** Days that are kept, today's among them: of older ones there is no key. */
const DAYS_KEPT = 3;

/** Of an address and a day: with as many there is no telling phones apart. */
const MOST_READ = 20;

const COLUMNS = {
  day: 'integer',
  project_id: 'text',
  address_hash: 'text',
  install_id: 'text',
  platform: 'text',
  os_version: 'text',
  device_model: 'text',
  language: 'text',
  opened_ms: 'integer',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Keeps for some days that an app was opened at an address, once a day and install: it tells that another phone is there. */
export async function storeSeenInstalls(
  seen: readonly (SeenInstall & { projectId: string; addressHash: string })[],
  transaction: Transaction,
): Promise<void> {
  await withJsonRows(
    COLUMNS,
    seen.map(({ projectId, addressHash, installId, platform, osVersion, deviceModel, language, openedAt }) => {
      const device = [platform, osVersion, deviceModel, language];
      return [dayOf(openedAt), projectId, addressHash, installId, ...device, openedAt];
    }),
    `INSERT INTO seen_installs (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT DO NOTHING`,
    transaction,
  );
}

type Row = Omit<SeenInstall, 'openedAt'> & { openedAt: number | string } & AddressOfDay;

const READ = `SELECT seen_installs.day AS day, seen_installs.project_id AS "projectId", address_hash AS hash,
  install_id AS "installId", platform, os_version AS "osVersion", device_model AS "deviceModel", language,
  opened_ms AS "openedAt"`;
const WHERE = (day: string, projectId: string, hash: string) =>
  `day = ${day} AND project_id = ${projectId} AND address_hash = ${hash} LIMIT ${MOST_READ}`;

/** As readMatchClicks. */
const ROWS: Record<Dialect, (addresses: readonly AddressOfDay[], transaction?: Transaction) => Promise<Row[]>> = {
  async sqlite(addresses, transaction) {
    const sql = `${READ} FROM seen_installs WHERE ${WHERE('$1', '$2', '$3')}`;
    const rows: Row[] = [];
    for (const { day, projectId, hash } of addresses)
      rows.push(...(await selectBound<Row>(sql, [day, projectId, hash], transaction)));
    return rows;
  },
  postgres: (addresses, transaction) =>
    withJsonRows<Row>(
      { day: 'integer', project_id: 'text', hash: 'text' },
      addresses.map(({ day, projectId, hash }) => [day, projectId, hash]),
      `${READ} FROM given CROSS JOIN LATERAL
         (SELECT * FROM seen_installs WHERE ${WHERE('given.day', 'given.project_id', 'given.hash')}) AS seen_installs`,
      transaction,
    ),
};

/** Which apps were opened at each address on its day, by `addressKey`. */
export async function readSeenInstalls(
  addresses: readonly AddressOfDay[],
  transaction?: Transaction,
): Promise<Map<string, SeenInstall[]>> {
  const wanted = new Map(addresses.map((address) => [addressKey(address), address]));
  const seen = new Map<string, SeenInstall[]>([...wanted.keys()].map((key) => [key, []]));
  for (const { day, projectId, hash, openedAt, ...rest } of await ROWS[dialect()]([...wanted.values()], transaction))
    seen.get(addressKey({ day, projectId, hash }))?.push({ ...rest, openedAt: Number(openedAt) });
  return seen;
}

/** Deletes some of days that are over, and gives whether there may be more. */
export async function purgeSeenInstalls(batch: number): Promise<boolean> {
  const old = {
    table: 'seen_installs',
    where: 'day < $1',
    values: [dayOf(clock.now()) - DAYS_KEPT + 1],
    oldestBy: 'day',
  };
  return (await deleteSome({ ...old, batch })) === batch;
}
