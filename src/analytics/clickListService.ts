import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { clickStore } from '../clicks/chosenStore.ts';
import { type ClickTest, type ListedClick, NEWEST_FIRST } from '../clicks/clickListStore.ts';
import { LATEST_MS } from '../clicks/clickStore.ts';
import { type Page, type PageRequest, searchPage } from '../db/paging.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { TRAFFIC_REASONS, type TrafficReason } from '../routing/trafficReason.ts';
import type { Filter } from './AnalyticsQuery.ts';
import type { FilterInput } from './filterTable.ts';
import { readFilters } from './readFilters.ts';

type ListFilter = 'link' | 'trafficClass' | 'country' | 'platform' | 'device' | 'referrerHost' | 'browser';

/** Filters as in analytics. */
export interface ClickListInput extends Pick<FilterInput, ListFilter>, PageRequest {
  projectId: string;
  start?: Date | null;
  /** Exclusive. */
  end?: Date | null;
}

/** A click, with what is shown of its visitor and of the reason for its class. */
export interface ShownClick extends Omit<ListedClick, 'trafficReason'> {
  reason: string | null;
  why: string | null;
}

/** Enough to tell the visitors of a page apart, and too little to look a visitor up elsewhere. */
const VISITOR_LENGTH = 6;

/**
 * Clicks of a project, newest first. A page of rare clicks may have fewer rows than requested, or none, and still a cursor: see
 * `searchPage`. Throws the errors of `authorizeProject`, and `validation_failed` for what `readFilters` refuses.
 */
export async function listClicks(
  principal: Principal,
  { projectId, start, end, limit, cursor, ...input }: ClickListInput,
): Promise<Page<ShownClick>> {
  const project = await authorizeProject(principal, 'analytics:read', projectId);
  const problems: FieldProblem[] = [];
  const filters = await readFilters(project.id, input, problems);
  if (problems.length > 0) throw validationFailed(problems);
  const [fromMs, toMs] = [Math.max(0, start?.getTime() ?? 0), Math.min(LATEST_MS, end?.getTime() ?? LATEST_MS)];
  const search = { projectId: project.id, fromMs, toMs: Math.max(fromMs, toMs), tests: filters.map(testOf) };
  const list = ['clicks', search];
  const page = await searchPage(NEWEST_FIRST, { limit, cursor }, list, (after, count) =>
    clickStore().search(search, after, count),
  );
  return { ...page, data: page.data.map(shown) };
}

function testOf({ dimension, keys, isExcluding }: Filter): ClickTest {
  return { dimension: dimension as ClickTest['dimension'], keys, isExcluding };
}

function shown({ trafficReason, visitor, ...click }: ListedClick): ShownClick {
  const why = trafficReason === null ? null : (TRAFFIC_REASONS[trafficReason as TrafficReason]?.found ?? null);
  return { ...click, visitor: visitor.slice(0, VISITOR_LENGTH), reason: trafficReason, why };
}
