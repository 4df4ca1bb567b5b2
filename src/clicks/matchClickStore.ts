import type { Click } from '../clicks/click.ts';
import { type Dialect, dialect } from '../db/database.ts';
import { deleteSome } from '../db/deleteSome.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { dayOf } from '../kernel/durations.ts';
import type { ClickDevice, Screen } from './deviceFacts.ts';

/** Days that are kept, today's among them: a match window is at most a day long, and the days' keys are three. */
const DAYS_KEPT = 3;

/** The rule of clicks that are the opening of an app themselves. */
export const APP_LINK_RULE = 'app_link';

const COLUMNS = {
  day: 'integer',
  project_id: 'text',
  address_hash: 'text',
  click_id: 'text',
  link_id: 'text',
  visitor: 'text',
  occurred_ms: 'integer',
  platform: 'text',
  os_version: 'text',
  device_model: 'text',
  language: 'text',
  country: 'text',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/**
 * Keeps what installs are matched with, for some days, of the clicks of people: those on phones may lead to an install,
 * and all of them tell how many people share an address.
 */
export async function storeMatchClicks(clicks: readonly Click[], transaction: Transaction): Promise<void> {
  const oldest = today() - DAYS_KEPT + 1;
  const rows = clicks.flatMap((click) => {
    const day = dayOf(click.occurredAt);
    if (click.trafficClass !== 'human' || click.rule === APP_LINK_RULE || day < oldest) return [];
    const { projectId, addressHash, id, linkId, visitor, occurredAt, platform, osVersion, deviceModel } = click;
    const { language, country } = click;
    return [
      [
        day,
        projectId,
        addressHash,
        id,
        linkId,
        visitor,
        occurredAt,
        platform,
        osVersion,
        deviceModel,
        language,
        country,
      ],
    ];
  });
  await withJsonRows(
    COLUMNS,
    rows,
    `INSERT INTO match_clicks (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT DO NOTHING`,
    transaction,
  );
}

/** A click from the address that an install came from. */
export interface MatchClick extends ClickDevice {
  clickId: string;
  linkId: string;
  visitor: string;
  /** The install that it was used for, as it itself or as a sibling. */
  usedBy: string | null;
}

/** Where clicks are looked for: `hash` is made with the key of `day`, a UTC day since the epoch. */
export interface AddressOfDay {
  day: number;
  projectId: string;
  hash: string;
}

type Row = Omit<MatchClick, 'screen'> & { screen: string | Screen | null } & AddressOfDay;

const COLUMNS_READ = `match_clicks.day AS day, match_clicks.project_id AS "projectId", match_clicks.address_hash AS hash,
  match_clicks.click_id AS "clickId", match_clicks.link_id AS "linkId", visitor, occurred_ms AS "clickedAt", platform,
  os_version AS "osVersion", device_model AS "deviceModel", language, country, click_devices.timezone AS timezone,
  click_devices.screen AS screen, used_clicks.install_id AS "usedBy"`;
const BESIDE = `LEFT JOIN click_devices ON click_devices.click_id = match_clicks.click_id
  LEFT JOIN used_clicks ON used_clicks.click_id = match_clicks.click_id`;
const NEWEST = (day: string, projectId: string, hash: string, limit: string) => `SELECT * FROM match_clicks
  WHERE day = ${day} AND project_id = ${projectId} AND address_hash = ${hash} ORDER BY click_id DESC LIMIT ${limit}`;

/** SQLite knows no LATERAL, and asks its own memory: one question for each address costs it nothing more. */
const READ: Record<Dialect, (addresses: readonly AddressOfDay[], limit: number, at?: Transaction) => Promise<Row[]>> = {
  async sqlite(addresses, limit, transaction) {
    const sql = `SELECT ${COLUMNS_READ} FROM (${NEWEST('$1', '$2', '$3', '$4')}) AS match_clicks ${BESIDE}
      ORDER BY match_clicks.click_id DESC`;
    const rows: Row[] = [];
    for (const { day, projectId, hash } of addresses)
      rows.push(...(await selectBound<Row>(sql, [day, projectId, hash, limit], transaction)));
    return rows;
  },
  postgres: (addresses, limit, transaction) =>
    withJsonRows<Row>(
      { day: 'integer', project_id: 'text', hash: 'text' },
      addresses.map(({ day, projectId, hash }) => [day, projectId, hash]),
      `SELECT ${COLUMNS_READ} FROM given
       CROSS JOIN LATERAL (${NEWEST('given.day', 'given.project_id', 'given.hash', '$2')}) AS match_clicks ${BESIDE}
       ORDER BY match_clicks.click_id DESC`,
      transaction,
      [limit],
    ),
};

/** The newest clicks of each address on its day, the newest first, by `addressKey`. */
export async function readMatchClicks(
  addresses: readonly AddressOfDay[],
  limit: number,
  transaction?: Transaction,
): Promise<Map<string, MatchClick[]>> {
  const wanted = new Map(addresses.map((address) => [addressKey(address), address]));
  const rows = await READ[dialect()]([...wanted.values()], limit, transaction);
  const clicks = rows.map(({ day, projectId, hash, ...click }) => ({
    key: addressKey({ day, projectId, hash }),
    click: {
      ...click,
      clickedAt: Number(click.clickedAt),
      screen: typeof click.screen === 'string' ? JSON.parse(click.screen) : click.screen,
    } as MatchClick,
  }));
  const byAddress = Map.groupBy(clicks, ({ key }) => key);
  return new Map([...wanted.keys()].map((key) => [key, (byAddress.get(key) ?? []).map(({ click }) => click)]));
}

export function addressKey({ day, projectId, hash }: AddressOfDay): string {
  return `${day} ${projectId} ${hash}`;
}

/** These were no people's, it turned out: no install came by them. */
export async function forgetMatchClicks(
  clicks: readonly Pick<Click, 'id' | 'projectId' | 'addressHash' | 'occurredAt'>[],
  transaction: Transaction,
): Promise<void> {
  await withJsonRows(
    { day: 'integer', project_id: 'text', address_hash: 'text', click_id: 'text' },
    clicks.map(({ id, projectId, addressHash, occurredAt }) => [dayOf(occurredAt), projectId, addressHash, id]),
    `DELETE FROM match_clicks WHERE (day, project_id, address_hash, click_id)
       IN (SELECT day, project_id, address_hash, click_id FROM given)`,
    transaction,
  );
}

/** Deletes some clicks of days that are over, and gives whether there may be more. */
export async function purgeMatchClicks(batch: number): Promise<boolean> {
  const values = [today() - DAYS_KEPT + 1];
  const old = { table: 'match_clicks', where: 'day < $1', values, oldestBy: 'day' };
  return (await deleteSome({ ...old, batch })) === batch;
}

function today(): number {
  return dayOf(clock.now());
}
