import { clock, DAY_MS } from '../../kernel/clock.ts';
import { log, WarningThrottle } from '../../kernel/log.ts';
import type { CollectedClick } from '../clickEvent.ts';
import type { AddressClick, AddressSearch, OriginClick, ReadClick } from '../clickStores.ts';
import { ClicksUnavailable, literal, literalList } from './connection.ts';
import { ofProject, orNull, type Row, selectClicks, timeOf, utmOf } from './rows.ts';
import { CLICKS } from './table.ts';

export async function newestIds(projectId: string, sinceMs: number, limit: number): Promise<string[]> {
  const rows = await selectClicks<{ id: string }>(
    `SELECT id FROM ${CLICKS} WHERE ${ofProject(projectId)} AND occurred_ms >= ${literal(sinceMs)}
       AND traffic_class <> 'prefetch' ORDER BY occurred_ms DESC, id DESC LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
}

const SHOWN = `id, project_id, link_id, domain, slug, occurred_ms, traffic_class, traffic_reason, country, region, city, platform,
  device, browser, language, referrer_host, destination, rule, utm_source, utm_medium, utm_campaign, utm_term, utm_content`;

export async function read(projectId: string, ids: readonly string[]): Promise<ReadClick[]> {
  if (ids.length === 0) return [];
  const rows = await selectClicks(
    `SELECT ${SHOWN} FROM ${CLICKS} WHERE ${ofProject(projectId)} AND id IN ${literalList(ids)} ORDER BY occurred_ms, id`,
  );
  return rows.map((row) => ({
    id: row.id,
    project_id: row.project_id,
    link_id: row.link_id,
    domain: row.domain,
    slug: row.slug,
    occurred_at: new Date(timeOf(row)),
    traffic_class: row.traffic_class as CollectedClick['traffic_class'],
    traffic_reason: orNull(row.traffic_reason),
    country: orNull(row.country),
    region: orNull(row.region),
    city: orNull(row.city),
    platform: row.platform as CollectedClick['platform'],
    device: row.device as CollectedClick['device'],
    browser: orNull(row.browser),
    language: orNull(row.language),
    referrer_host: orNull(row.referrer_host),
    destination: orNull(row.destination),
    rule: orNull(row.rule),
    utm: utmOf(row) as CollectedClick['utm'],
  }));
}

const warnings = new WarningThrottle((message) => log.warn(message));

/**
 * While ClickHouse is away none is there, as of clicks that are still in a journal: an app that is opened gets its link by what
 * the store has, without where the click came from.
 */
export async function readOrigins(ids: readonly string[], projectIds: readonly string[]): Promise<OriginClick[]> {
  try {
    const rows = await selectClicks(
      `SELECT id, project_id, address_hash, occurred_ms, referrer_host, destination, rule,
         utm_source, utm_medium, utm_campaign, utm_term, utm_content
       FROM ${CLICKS} WHERE project_id IN ${literalList(projectIds)} AND id IN ${literalList(ids)}`,
    );
    return rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      addressHash: row.address_hash,
      occurredAt: timeOf(row),
      referrerHost: orNull(row.referrer_host),
      destination: orNull(row.destination),
      rule: orNull(row.rule),
      utm: utmOf(row),
    }));
  } catch (error) {
    if (!(error instanceof ClicksUnavailable)) throw error;
    warnings.warn('origins', `Openings of apps are stored without the origin of their clicks: ${error.message}`);
    return [];
  }
}

const WHICH: Record<AddressSearch['which'], string> = {
  human: `traffic_class = 'human'`,
  observed: `(traffic_class = 'human' OR traffic_reason = 'burst')`,
};

export async function readAddresses(search: AddressSearch): Promise<AddressClick[]> {
  const { projectIds, span, addressHashes, which, order, most } = search;
  if (projectIds.length === 0) return [];
  const rows = await selectClicks<Row>(
    `SELECT id, project_id, link_id, address_hash, occurred_ms, traffic_class FROM ${CLICKS}
     WHERE project_id IN ${literalList(projectIds)}
       AND occurred_ms >= ${literal(span.fromMs)} AND occurred_ms <= ${literal(span.toMs)}
       ${addressHashes ? `AND address_hash IN ${literalList(addressHashes)}` : ''} AND ${WHICH[which]}
     ORDER BY occurred_ms ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT ${literal(most)}`,
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    linkId: row.link_id,
    addressHash: row.address_hash,
    occurredAt: timeOf(row),
    isHuman: row.traffic_class === 'human',
  }));
}

/** Among the clicks of the last day: whoever asks wants to know what a process left behind that has just ended. */
export async function newestTimes(): Promise<Map<string, number>> {
  const rows = await selectClicks<{ project_id: string; newest: number | string }>(
    `SELECT project_id, max(occurred_ms) AS newest FROM ${CLICKS} WHERE occurred_ms >= ${literal(clock.now() - DAY_MS)}
     GROUP BY project_id`,
  );
  return new Map(rows.map(({ project_id, newest }) => [project_id, Number(newest)]));
}

/** The time of a project's first click; null without any. */
export async function firstClickAt(projectId: string): Promise<number | null> {
  const [row] = await selectClicks<{ first: number | string; n: number | string }>(
    `SELECT min(occurred_ms) AS first, count() AS n FROM ${CLICKS} WHERE ${ofProject(projectId)}`,
  );
  return row && Number(row.n) > 0 ? Number(row.first) : null;
}

/** All clicks of these projects. */
export async function countClicksOf(projectIds: readonly string[]): Promise<number> {
  if (projectIds.length === 0) return 0;
  const [row] = await selectClicks<{ n: number | string }>(
    `SELECT count() AS n FROM ${CLICKS} WHERE project_id IN ${literalList(projectIds)}`,
  );
  return Number(row?.n ?? 0);
}
