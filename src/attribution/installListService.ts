import { allowInProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type Page, type PageRequest, readPage } from '../db/paging.ts';
import { isId } from '../kernel/ids.ts';
import { linkIdOf } from '../links/linkReferences.ts';
import type { Install } from '../models/Install.ts';
import type { MatchMethod } from '../models/match.ts';
import { type ShownInstall, shownInstall } from './installService.ts';
import { countInstallRows, type InstallConditions, MATCHED, NEWEST_INSTALLS, readInstalls } from './installsStore.ts';

export interface InstallFilter {
  /** The id of a link, which may be deleted, or `ext_<external_id>`. */
  linkId?: string | null;
  /** The beginning of the UUID of an SDK, or an `ins_…` id. */
  search?: string | null;
  platform?: Install['platform'] | null;
  method?: MatchMethod | null;
  isMatched?: boolean | null;
  /** Inclusive. */
  createdAfter?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

export type InstallGrouping = 'method' | 'platform';

/** The number of installs with the same method or platform. */
export interface InstallCount {
  /** Null: all of them, where nothing is grouped. */
  key: string | null;
  count: number;
}

/** The installs of a project's apps, newest first. */
export async function listInstalls(
  principal: Principal,
  projectId: string,
  { limit, cursor, ...filter }: InstallFilter & PageRequest,
): Promise<Page<ShownInstall>> {
  await allowInProject(principal, 'installs:read', projectId);
  const conditions = await conditionsOf(projectId, filter);
  const list = ['installs', projectId, filter];
  const page = await readPage(NEWEST_INSTALLS, { limit, cursor }, list, async (after, count) => {
    const installs = conditions ? await readInstalls(conditions, after, count) : [];
    return installs.map((install) => ({ id: install.id, value: install.createdAt, install }));
  });
  return { ...page, data: page.data.map(({ install }) => shownInstall(install)) };
}

/** Counts the installs that `listInstalls` lists, by method or platform if asked, most first. */
export async function countInstalls(
  principal: Principal,
  projectId: string,
  { groupBy, ...filter }: InstallFilter & { groupBy?: InstallGrouping | null },
): Promise<InstallCount[]> {
  await allowInProject(principal, 'installs:read', projectId);
  const conditions = await conditionsOf(projectId, filter);
  if (conditions) return countInstallRows(conditions, groupBy ?? null);
  return groupBy ? [] : [{ key: null, count: 0 }];
}

/** Null: no install can match. */
async function conditionsOf(projectId: string, filter: InstallFilter): Promise<InstallConditions | null> {
  const { linkId, search, platform, method, isMatched, createdAfter, createdBefore } = filter;
  const wanted = search == null ? null : searched(search);
  const methods = methodsOf(method ?? null, isMatched ?? null);
  if (wanted === 'nothing' || methods?.length === 0) return null;
  return {
    projectId,
    linkId: linkId ? await linkIdOf(projectId, linkId) : null,
    search: wanted,
    platforms: platform ? [platform] : null,
    methods,
    createdAfter: createdAfter ?? null,
    createdBefore: createdBefore ?? null,
  };
}

/** The methods that both filters allow; null: any. */
function methodsOf(method: MatchMethod | null, isMatched: boolean | null): readonly MatchMethod[] | null {
  const allowed = isMatched === null ? null : isMatched ? MATCHED : (['none'] as const);
  if (method === null) return allowed;
  return allowed && !allowed.some((one) => one === method) ? [] : [method];
}

const HYPHENS = /(.{8})(.{4})(.{4})(.{4})(.{12})/;

/**
 * What a search looks up. Both ends of the range are whole UUIDs, because with the rules of a language a shorter text does
 * not sort before all that begin with it. Hyphens may be left out.
 */
function searched(search: string): InstallConditions['search'] | 'nothing' {
  const text = search.trim().toLowerCase();
  if (isId('ins', text)) return { id: text };
  const digits = text.replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return 'nothing';
  const filledWith = (digit: string) => digits.padEnd(32, digit).replace(HYPHENS, '$1-$2-$3-$4-$5');
  return { from: filledWith('0'), to: filledWith('f'), isCommon: digits.length === 1 };
}
