import { fit, oneLine, pad, widthOf } from './width.ts';

const SPARKS = '▁▂▃▄▅▆▇█';
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const WIDEST_LABEL = 32;
const NARROWEST_BAR = 8;
/** The gaps between label, bar, count and share, and the share. */
const BESIDES = 11;

/** The values as one line of little bars. */
export function sparkline(values: number[]): string {
  const most = Math.max(...values, 1);
  return values
    .map((value) => SPARKS[Math.min(SPARKS.length - 1, Math.floor((value / most) * SPARKS.length))])
    .join('');
}

/** So many values that the line is no longer than this: neighbours are added up. */
export function squeezed(values: number[], width: number): number[] {
  if (values.length <= width) return values;
  const size = Math.ceil(values.length / width);
  const sums: number[] = [];
  for (let at = 0; at < values.length; at += size)
    sums.push(values.slice(at, at + size).reduce((sum, each) => sum + each, 0));
  return sums;
}

/** One line for each row: its label, a bar, its count and its share. */
export function bars(rows: { label: string; count: number }[], total: number, width: number): string[] {
  const most = Math.max(...rows.map(({ count }) => count), 1);
  const labels = rows.map(({ label }) => fit(oneLine(label), WIDEST_LABEL));
  const labelWidth = Math.max(...labels.map(widthOf), 0);
  const counts = rows.map(({ count }) => count.toLocaleString('en-US'));
  const countWidth = Math.max(...counts.map(widthOf), 0);
  const room = Math.max(NARROWEST_BAR, width - labelWidth - countWidth - BESIDES);
  return rows.map(({ count }, at) => {
    const share = total > 0 ? `${Math.round((count / total) * 100)} %` : '';
    return `${pad(labels[at] ?? '', labelWidth)}  ${pad(bar(count / most, room), room)}  ${pad(counts[at] ?? '', countWidth, true)}  ${pad(share, 5, true)}`;
  });
}

function bar(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
