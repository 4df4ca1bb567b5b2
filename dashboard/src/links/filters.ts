import type { LINK_FILTERS } from '../kernel/addresses.ts';
import type { VariablesOf } from '../kernel/graphql.ts';
import type { LINKS } from './operations.ts';

export type LinkFilters = Partial<Record<(typeof LINK_FILTERS)[number], string>>;
type Variables = VariablesOf<typeof LINKS>;
type Status = NonNullable<Variables['status']>;

const STATUSES: readonly Status[] = ['active', 'scheduled', 'expired', 'archived', 'flagged'];
const SORTS = { created_at: 'created_at', clicks: 'clicks', last_clicked_at: 'last_clicked_at' } as const;

/** The server takes no more. */
export const LONGEST_SEARCH = 200;

/** Filters that narrow the list, unlike its order. */
const NARROWING = [
  'search',
  'tag',
  'tag_mode',
  'untagged',
  'status',
  'domain',
  'created_after',
  'created_before',
  'batch_id',
  'created_by',
  'has_routing',
] as const;

export function isFiltered(filters: LinkFilters): boolean {
  return NARROWING.some((name) => name !== 'tag_mode' && filters[name]);
}

export const NO_FILTERS: LinkFilters = Object.fromEntries(NARROWING.map((name) => [name, undefined]));

/** The arguments of the list for the parameters of an address. What the server would not take is dropped. */
export function filterVariables(
  filters: LinkFilters,
): Omit<Variables, 'projectId' | 'cursor' | 'limit' | 'sort' | 'order'> {
  return {
    search: filters.search?.trim().slice(0, LONGEST_SEARCH) || null,
    tags: filters.tag ? tagsOf(filters.tag) : null,
    tagMode: filters.tag_mode === 'all' ? 'all' : 'any',
    isUntagged: filters.untagged === 'true' ? true : null,
    status: STATUSES.find((status) => status === filters.status) ?? null,
    domain: filters.domain || null,
    createdAfter: timeOf(filters.created_after),
    createdBefore: timeOf(filters.created_before),
    batchId: filters.batch_id || null,
    createdBy: filters.created_by || null,
    hasRouting: filters.has_routing === 'true' ? true : filters.has_routing === 'false' ? false : null,
  };
}

export function sortVariables({ sort, order }: LinkFilters): Pick<Variables, 'sort' | 'order'> {
  return { sort: SORTS[sort as keyof typeof SORTS] ?? 'created_at', order: order === 'asc' ? 'asc' : 'desc' };
}

function timeOf(text: string | undefined): string | null {
  return text && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null;
}

/** The names of tags in an address: separated by commas, those in names as `%2C`. */
export function tagsOf(text: string): string[] {
  return text.split(',').map((name) => name.replaceAll('%2C', ',').replaceAll('%25', '%'));
}

export function tagsText(names: readonly string[]): string {
  return names.map((name) => name.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}
