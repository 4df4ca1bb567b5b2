import type { Principal } from '../../access/principal.ts';
import { EXPORT_COLUMNS } from '../../imports/formats.ts';
import { linkCells } from '../../imports/linkCells.ts';
import { type CsvPage, writeCsv } from '../../imports/writeCsv.ts';
import { mapSliced } from '../../kernel/sliced.ts';
import { tagsOfLinks } from '../links/linkTags.ts';
import { type LinkFilter, listLinks } from '../links/listLinks.ts';

/** Links read at once: enough to be quick, few enough that redirects don't wait for them although all have many rules. */
const PAGE = 100;

interface Export extends LinkFilter {
  cursor?: string | null;
  /** For people who open it in a spreadsheet program; such a file is not imported again as it was. */
  spreadsheet?: boolean | null;
}

/** Links of a project as CSV that can be imported again, oldest first. */
export async function exportLinks(
  principal: Principal,
  projectId: string,
  { cursor, spreadsheet, ...filter }: Export,
): Promise<CsvPage> {
  const request = { ...filter, limit: PAGE, cursor: cursor ?? null, order: 'asc' };
  const { data, nextCursor } = await listLinks(principal, projectId, request);
  const tags = await tagsOfLinks(data.map(({ id }) => id));
  const lines = await mapSliced(data, (link) => {
    const names = (tags.get(link.id) ?? []).map(({ name }) => name);
    return writeCsv([linkCells(link, names)], { spreadsheet: spreadsheet ?? false });
  });
  return { csv: [...(cursor ? [] : [writeCsv([[...EXPORT_COLUMNS]])]), ...lines].join(''), nextCursor };
}
