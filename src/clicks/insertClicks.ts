import { type JsonColumn, sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';

export type Listening = (projectId: string) => boolean;

/** The columns of `clicks`, each with what stands in it. */
const COLUMNS: [name: string, kind: JsonColumn, value: (click: Click, listening: Listening) => unknown][] = [
  ['id', 'text', (click) => click.id],
  ['project_id', 'text', (click) => click.projectId],
  ['link_id', 'text', (click) => click.linkId],
  ['domain', 'text', (click) => click.domain],
  ['slug', 'text', (click) => click.slug],
  ['occurred_at', 'time', (click) => sqlTime(click.occurredAt)],
  ['traffic_class', 'text', (click) => click.trafficClass],
  ['traffic_reason', 'text', (click) => click.trafficReason],
  ['country', 'text', (click) => click.country],
  ['region', 'text', (click) => click.region],
  ['city', 'text', (click) => click.city],
  ['platform', 'text', (click) => click.platform],
  ['device', 'text', (click) => click.device],
  ['browser', 'text', (click) => click.browser],
  ['language', 'text', (click) => click.language],
  ['referrer_host', 'text', (click) => click.referrerHost],
  ['destination', 'text', (click) => click.destination],
  ['rule', 'text', (click) => click.rule],
  ['utm', 'json', (click) => click.utm],
  ['visitor', 'text', (click) => click.visitor],
  ['address_hash', 'text', (click) => click.addressHash],
  ['uncollected', 'flag', (click, listening) => click.trafficClass !== 'prefetch' && listening(click.projectId)],
];

const KINDS = Object.fromEntries(COLUMNS.map(([name, kind]) => [name, kind]));
const NAMES = Object.keys(KINDS).join(', ');

/** Inserts clicks of different ids and gives those that were not there yet. */
export async function insertClicks(clicks: Click[], listening: Listening, transaction: Transaction): Promise<Click[]> {
  const added = await withJsonRows<{ id: string }>(
    KINDS,
    clicks.map((click) => COLUMNS.map(([, , value]) => value(click, listening))),
    `INSERT INTO clicks (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT (id) DO NOTHING RETURNING id`,
    transaction,
  );
  const ids = new Set(added.map(({ id }) => id));
  return clicks.filter(({ id }) => ids.has(id));
}
