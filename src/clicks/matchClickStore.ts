import { deleteOldest } from '../db/deleteOldest.ts';
import { insertInto, queryEach, withJsonRows } from '../db/jsonRows.ts';
import { dropPartitions } from '../db/partitions/dropPartitions.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS, dayOf } from '../kernel/clock.ts';
import type { Click } from './click.ts';

/** In points of the display, as iOS, Android (dp) and CSS count them. Null stands for unknown. */
export interface Screen {
  width: number | null;
  height: number | null;
  scale: number | null;
}

/** The device that made a click, as far as it is known. */
export interface ClickDevice {
  platform: string;
  osVersion: string | null;
  deviceModel: string | null;
  language: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Reported by the page in front of the app store; most clicks skip that page. */
  timezone: string | null;
  screen: Screen | null;
  /** Milliseconds since the epoch. */
  clickedAt: number;
}

/** Days that are kept, today included: a match window is at most a day, and there are visitor keys of three days. */
const DAYS_KEPT = 3;

/** The rule of clicks that are themselves openings of an app. */
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

/**
 * Keeps, for some days, what installs are matched with: clicks of people. Those on phones may lead to an install, and all of them
 * show how many people share an address.
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
  await insertInto('match_clicks', COLUMNS, rows, { transaction, onConflict: 'ON CONFLICT DO NOTHING' });
}

/** A click from the address that an install came from. */
export interface MatchClick extends ClickDevice {
  clickId: string;
  linkId: string;
  visitor: string;
  /** The install that was attributed to it or to a sibling click. */
  usedBy: string | null;
}

/** An address on a day: `hash` was made with the key of `day`, a UTC day since the epoch. */
export interface AddressOfDay {
  day: number;
  projectId: string;
  hash: string;
}

/** The columns of an `AddressOfDay` that rows are read for. */
export const ADDRESS_COLUMNS = { day: 'integer', project_id: 'text', hash: 'text' } as const;

type Row = Omit<MatchClick, 'screen'> & { screen: string | Screen | null } & AddressOfDay;

const COLUMNS_READ = `match_clicks.day AS day, match_clicks.project_id AS "projectId", match_clicks.address_hash AS hash,
  match_clicks.click_id AS "clickId", match_clicks.link_id AS "linkId", visitor, occurred_ms AS "clickedAt", platform,
  os_version AS "osVersion", device_model AS "deviceModel", language, country, click_devices.timezone AS timezone,
  click_devices.screen AS screen, used_clicks.install_id AS "usedBy"`;
const JOINED = `LEFT JOIN click_devices ON click_devices.click_id = match_clicks.click_id
  LEFT JOIN used_clicks ON used_clicks.click_id = match_clicks.click_id`;

/** The newest `limit` clicks of each address on its day, newest first, by `addressKey`. */
export async function readMatchClicks(
  addresses: readonly AddressOfDay[],
  limit: number,
  transaction?: Transaction,
): Promise<Map<string, MatchClick[]>> {
  const wanted = new Map(addresses.map((address) => [addressKey(address), address]));
  const rows = await queryEach<Row>(
    ADDRESS_COLUMNS,
    [...wanted.values()].map(({ day, projectId, hash }) => [day, projectId, hash]),
    {
      select: COLUMNS_READ,
      from: (day, projectId, hash) => `SELECT * FROM match_clicks
        WHERE day = ${day} AND project_id = ${projectId} AND address_hash = ${hash} ORDER BY click_id DESC LIMIT ${limit}`,
      as: 'match_clicks',
      rest: `${JOINED} ORDER BY match_clicks.click_id DESC`,
    },
    transaction,
  );
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

/** Forgets clicks that turned out not to be people's. */
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

/** Drops the partitions of days that are kept no longer. */
export function dropMatchClicks(): Promise<void> {
  return dropPartitions('match_clicks', (today() - DAYS_KEPT + 1) * DAY_MS);
}

/** Deletes up to `batch` clicks of days that are kept no longer, and returns whether there may be more. */
export async function purgeMatchClicks(batch: number): Promise<boolean> {
  const values = [today() - DAYS_KEPT + 1];
  const old = { table: 'match_clicks', where: 'day < $1', values, oldestBy: 'day' };
  return (await deleteOldest({ ...old, batch })) === batch;
}

function today(): number {
  return dayOf(clock.now());
}
