import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import type { Project } from '../models/Project.ts';
import type { AnalyticsEvent, EventScope } from './AnalyticsQuery.ts';
import type { FilterInput } from './filterTable.ts';
import { readFilters } from './readFilters.ts';
import { firstEventAt, type RangeInput, readRange } from './readRange.ts';

interface ScopeInput extends FilterInput, RangeInput {
  event?: string | null;
}

/** The events of a project that an input is about. Throws `validation_failed` with everything that is wrong. */
export async function readScope(project: Project, input: ScopeInput): Promise<EventScope> {
  const problems: FieldProblem[] = [];
  const since =
    input.interval === 'all'
      ? Math.min(project.createdAt.getTime(), await firstEventAt(project.id))
      : project.createdAt.getTime();
  const range = readRange(input, since, problems);
  const filters = await readFilters(project.id, input, problems);
  if (problems.length > 0) throw validationFailed(problems);
  return { projectId: project.id, event: (input.event ?? 'click') as AnalyticsEvent, range, filters };
}
