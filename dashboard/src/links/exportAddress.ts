import { stringifySearch } from '../kernel/search.ts';
import { type LinkFilters, tagsOf } from './filters.ts';

/** Where all links that the filters find are downloaded as CSV. */
export function exportAddress(projectId: string, filters: LinkFilters): string {
  const { tag, untagged, sort, order, ...others } = filters;
  const search = stringifySearch({ project_id: projectId, spreadsheet: 'true', is_untagged: untagged, ...others });
  const tags = tag ? tagsOf(tag).map((name) => `&tags=${encodeURIComponent(name)}`) : [];
  return `/graphql/links.csv${search}${tags.join('')}`;
}
