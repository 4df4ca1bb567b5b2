import type { Principal } from '../../access/principal.ts';
import { EXPORT_COLUMNS } from '../../imports/formats.ts';
import { linkCells } from '../../imports/linkCells.ts';
import { type CsvPage, writeCsv } from '../../imports/writeCsv.ts';
import { tagsOfLinks } from '../links/linkTags.ts';
import { type LinkFilter, listLinks } from '../links/listLinks.ts';

/** Links written at once: enough to be quick, few enough that redirects don't wait for them. */
const PAGE = 500;

/** Links of a project as CSV that can be imported again, oldest first. */
export async function exportLinks(
  principal: Principal,
  projectId: string,
  { cursor, ...filter }: LinkFilter & { cursor?: string | null },
): Promise<CsvPage> {
  const request = { ...filter, limit: PAGE, cursor: cursor ?? null, order: 'asc' };
  const { data, nextCursor } = await listLinks(principal, projectId, request);
  const tags = await tagsOfLinks(data.map(({ id }) => id));
  const rows = data.map((link) =>
    linkCells(
      link,
      (tags.get(link.id) ?? []).map(({ name }) => name),
    ),
  );
  return { csv: writeCsv([...(cursor ? [] : [[...EXPORT_COLUMNS]]), ...rows]), nextCursor };
}
