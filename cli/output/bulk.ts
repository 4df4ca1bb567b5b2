import type { SvcAnswer } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { Row } from './cells.ts';

interface BulkAnswer {
  counts: Record<string, number>;
  results: ({ status: string } & Row)[];
}

/** Prints what became of each row. Some failed: 3; all of them: 1. */
export async function printBulk(context: Context, answer: SvcAnswer): Promise<number> {
  const { counts, results } = answer.json<BulkAnswer>();
  const columns = ['index', 'status', 'link.short_url', 'link.id', 'error.code', 'error.message'];
  await context.output.answer({ text: answer.text, rows: results, columns });
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  context.output.note(`${told.join(', ')}.`);
  return bulkExit(counts.failed ?? 0, results.length);
}

/** The exit code of something of which this many rows failed. */
export function bulkExit(failed: number, all: number): number {
  if (failed === 0) return EXIT.done;
  return failed < all ? EXIT.partly : EXIT.failed;
}
