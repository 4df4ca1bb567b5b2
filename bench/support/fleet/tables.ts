import { type AmbiguityClass, CLASSES, OWN } from './ambiguity.ts';
import { EMPTY, precisionOf, recallOf, sumOf, type Tally, wilson } from './tally.ts';

export type Tallies = ReadonlyMap<AmbiguityClass, Tally>;

/** Columns that line up; the first is on the left. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? '').length)));
  const line = (row: readonly (string | number)[]) =>
    row
      .map((cell, at) => (at === 0 ? `${cell}`.padEnd(widths[0] ?? 0) : `${cell}`.padStart(widths[at] ?? 0)))
      .join('  ');
  return rows.map(line).join('\n');
}

/** Ours beside the loose rule, class by class. */
export function classTable(ours: Tallies, loose: Tallies): string {
  const rows = CLASSES.map((name) => [name, ours.get(name) ?? EMPTY, loose.get(name) ?? EMPTY] as const);
  const own = OWN.map((name) => [ours.get(name) ?? EMPTY, loose.get(name) ?? EMPTY] as const);
  const sums = [
    ['own addresses', sumOf(own.map(([one]) => one)), sumOf(own.map(([, other]) => other))] as const,
    ['all', sumOf(ours.values()), sumOf(loose.values())] as const,
  ];
  return table([
    [
      'class',
      'installs',
      'matched',
      'right',
      'wrong',
      'precision',
      'recall',
      'click',
      '| loose',
      'wrong',
      'precision',
      'recall',
    ],
    ...[...rows, ...sums].map(([name, one, other]) => [
      name,
      one.installs,
      ...[one.matched, one.right, one.matched - one.right],
      ...[share(precisionOf(one)), share(recallOf(one)), share(one.rightClick / one.right)],
      ...[`| ${other.matched}`, other.matched - other.right, share(precisionOf(other)), share(recallOf(other))],
    ]),
  ]);
}

/** Precision of all that was matched, recall on own addresses and of everything, with their intervals. */
export function seedCells(tallies: Tallies): string[] {
  const all = sumOf(tallies.values());
  const own = sumOf(OWN.map((name) => tallies.get(name) ?? EMPTY));
  return [
    `${all.installs}`,
    `${all.matched}`,
    within(all.right, all.matched),
    within(own.found, own.led),
    within(all.found, all.led),
  ];
}

export const SEED_HEAD = ['installs', 'matched', 'precision (95 %)', 'recall own (95 %)', 'recall of all (95 %)'];

/** For sweeps: short cells. */
export function sweepCells(tallies: Tallies): (string | number)[] {
  const all = sumOf(tallies.values());
  const of = (...names: AmbiguityClass[]) => sumOf(names.map((name) => tallies.get(name) ?? EMPTY));
  const wrong = all.matched - all.right;
  return [
    ...[all.matched, wrong, within(all.right, all.matched), share(recallOf(of(...OWN)))],
    ...[
      share(recallOf(of('household, one clicked', 'household, others clicked'))),
      share(recallOf(of('office'))),
      share(recallOf(of('carrier'))),
    ],
    of('organic beside a housemate', 'organic').matched,
  ];
}

export const SWEEP_HEAD = [
  ...['matched', 'wrong', 'precision (95 %)', 'recall own', 'household', 'office', 'carrier', 'organic matched'],
];

function within(right: number, all: number): string {
  const [low, high] = wilson(right, all);
  return `${share(right / all)} (${share(low)}–${share(high)})`;
}

function share(value: number): string {
  return Number.isFinite(value) ? value.toFixed(4) : '–';
}
