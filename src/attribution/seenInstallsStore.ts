import { ADDRESS_COLUMNS, type AddressOfDay, addressKey } from '../clicks/matchClickStore.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { insertInto, queryEach } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, dayOf } from '../kernel/clock.ts';
import type { SeenInstall } from './decide/peopleAtAddress.ts';

/** Days to keep, including today. The keys of older days' hashes are gone. */
const DAYS_KEPT = 3;

/** The most rows that are read for an address and a day; among so many, phones cannot be told apart. */
const MAX_READ = 20;

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

/** Stores that apps were opened at an address, once per day and install: each shows that a phone is there. */
export async function storeSeenInstalls(
  seen: readonly (SeenInstall & { projectId: string; addressHash: string })[],
  transaction: Transaction,
): Promise<void> {
  await insertInto(
    'seen_installs',
    COLUMNS,
    seen.map(({ projectId, addressHash, installId, platform, osVersion, deviceModel, language, openedAt }) => {
      const device = [platform, osVersion, deviceModel, language];
      return [dayOf(openedAt), projectId, addressHash, installId, ...device, openedAt];
    }),
    { transaction, onConflict: 'ON CONFLICT DO NOTHING' },
  );
}

type Row = Omit<SeenInstall, 'openedAt'> & { openedAt: number | string } & AddressOfDay;

const COLUMNS_READ = `seen_installs.day AS day, seen_installs.project_id AS "projectId", address_hash AS hash,
  install_id AS "installId", platform, os_version AS "osVersion", device_model AS "deviceModel", language,
  opened_ms AS "openedAt"`;

/** The apps that were opened at each address on its day, by `addressKey`. */
export async function readSeenInstalls(
  addresses: readonly AddressOfDay[],
  transaction?: Transaction,
): Promise<Map<string, SeenInstall[]>> {
  const wanted = new Map(addresses.map((address) => [addressKey(address), address]));
  const seen = new Map<string, SeenInstall[]>([...wanted.keys()].map((key) => [key, []]));
  const rows = await queryEach<Row>(
    ADDRESS_COLUMNS,
    [...wanted.values()].map(({ day, projectId, hash }) => [day, projectId, hash]),
    {
      select: COLUMNS_READ,
      from: (day, projectId, hash) => `SELECT * FROM seen_installs
        WHERE day = ${day} AND project_id = ${projectId} AND address_hash = ${hash} LIMIT ${MAX_READ}`,
      as: 'seen_installs',
    },
    transaction,
  );
  for (const { day, projectId, hash, openedAt, ...rest } of rows)
    seen.get(addressKey({ day, projectId, hash }))?.push({ ...rest, openedAt: Number(openedAt) });
  return seen;
}

/** Deletes up to `batch` rows of past days. Returns whether there may be more. */
export async function purgeSeenInstalls(batch: number): Promise<boolean> {
  const old = {
    table: 'seen_installs',
    where: 'day < $1',
    values: [dayOf(clock.now()) - DAYS_KEPT + 1],
    oldestBy: 'day',
  };
  return (await deleteOldest({ ...old, batch })) === batch;
}
