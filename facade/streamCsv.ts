import { Readable } from 'node:stream';
import { type Execution, execute } from '../schema/execute.ts';

interface CsvPage {
  csv: string;
  next_cursor: string | null;
}

/** The CSV of a list, page by page, each fetched when the client has taken the one before. */
export async function streamCsv(execution: Execution): Promise<Readable> {
  const page = (cursor: string | null) =>
    execute({ ...execution, variables: { ...execution.variables, cursor } }) as Promise<CsvPage>;
  // Before the answer begins, so that a refusal is told as one.
  const first = await page(null);
  async function* pages() {
    let shown = first;
    yield shown.csv;
    while (shown.next_cursor) {
      shown = await page(shown.next_cursor);
      yield shown.csv;
    }
  }
  return Readable.from(pages(), { objectMode: false });
}
