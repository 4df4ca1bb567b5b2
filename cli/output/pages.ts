import type { Ask } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';
import type { Operation } from '../describeOperations.ts';
import { EXIT } from '../exitCodes.ts';
import type { Row } from './cells.ts';
import { columnsOf } from './columns.ts';

/** The most rows of a page that the server gives. */
const LARGEST_PAGE = 100;

interface Page {
  data: Row[];
  next_cursor: string | null;
}

/** Prints one page, or all of them as one list. */
export async function printPages(context: Context, operation: Operation, ask: Ask, isAll: boolean): Promise<number> {
  const { output } = context;
  const columns = columnsOf(operation.words[0], operation.fields);
  if (isAll) {
    const rows: Row[] = [];
    for await (const { data } of pagesOf(context, operation, ask)) rows.push(...data);
    await output.answer({ text: JSON.stringify(rows), rows, columns });
    return EXIT.done;
  }
  const answer = await context.request(operation, ask);
  const { data, next_cursor } = answer.json<Page>();
  await output.answer({ text: answer.text, rows: data, columns });
  if (next_cursor && !output.isJson)
    output.note(`There are more. --all prints all of them, --cursor ${next_cursor} the next page.`);
  return EXIT.done;
}

/** Every page from the first, each asked for when the one before was taken. */
export async function* pagesOf(context: Context, operation: Operation, ask: Ask): AsyncGenerator<Page> {
  const query: Record<string, unknown> = { limit: LARGEST_PAGE, ...ask.query };
  for (;;) {
    const page = await context.json<Page>(operation, { ...ask, query });
    yield page;
    if (page.next_cursor === null) return;
    query.cursor = page.next_cursor;
  }
}
