import type { Analytics, SvcAnswer } from '../sdk/client/index.ts';
import type { Context } from './context.ts';
import type { Row } from './output/cells.ts';
import { bars, sparkline, squeezed } from './output/charts.ts';

const NAMES: Record<string, string> = {
  click: 'clicks',
  install: 'installs',
  open: 'opens',
  app_event: 'app events',
  orphan: 'requests',
};

/** Asks for figures. */
export function askStats(context: Context, query: Record<string, unknown>): Promise<SvcAnswer> {
  return context.request('getAnalytics', { query });
}

/** Prints figures: bars and a sparkline on a terminal or with `isChart`, else rows separated by tabs. */
export async function printStats(context: Context, answer: SvcAnswer, isChart: boolean): Promise<void> {
  const { output, flags } = context;
  const { data, group_by, total } = answer.json<Analytics>();
  if (output.isJson || flags.fields || (!output.isTty && !isChart)) {
    const rows = data.length > 0 || group_by !== 'none' ? data : [{ key: 'total', ...total }];
    const columns = ['key', 'count', 'unique', ...(rows.some(({ values }) => values) ? ['values'] : [])];
    return output.answer({ text: answer.text, rows: rows as unknown as Row[], columns });
  }
  for (const line of chartOf(answer.json<Analytics>(), output.width)) output.line(line);
}

/** The figures as lines for people. */
export function chartOf(
  { event, group_by, start, end, timezone, total, data, others }: Analytics,
  width: number,
): string[] {
  const days = `${start.slice(0, 10)} to ${end.slice(0, 10)}, ${timezone}`;
  const head = `${total.count.toLocaleString('en-US')} ${NAMES[event] ?? event}, ${total.unique.toLocaleString('en-US')} unique  (${days})`;
  if (group_by === 'none' || data.length === 0) return [head];
  if (group_by === 'time') {
    const line = sparkline(
      squeezed(
        data.map(({ count }) => count),
        width,
      ),
    );
    const [first, last] = [data[0]?.key ?? '', data.at(-1)?.key ?? ''].map((key) => key.slice(5, 10));
    return [head, line, `${first}${' '.repeat(Math.max(1, line.length - 10))}${last}`];
  }
  const rows = data.map(({ key, count }) => ({ label: key ?? '(unknown)', count }));
  if (others && others.count > 0) rows.push({ label: '(others)', count: others.count });
  return [head, ...bars(rows, total.count, width)];
}
