import type { Direction } from '../../../src/anomalies/decide/Track.ts';
import { table } from '../fleet/tables.ts';
import { wilson } from '../fleet/tally.ts';
import { isStrong } from './assumptions.ts';
import type { Found, Verdicts } from './judgeTold.ts';

const YEAR_HOURS = 365.25 * 24;

/** Of several projects. */
export function sizeTable(byRule: ReadonlyMap<string, readonly Verdicts[]>, sizes: readonly number[]): string {
  const rows: (string | number)[][] = [];
  for (const [rule, all] of byRule) {
    for (const size of sizes)
      rows.push([`${rule}, ${size}/h`, ...sizeCells(all.filter((verdicts) => verdicts.size === size))]);
    rows.push([`${rule}, from 100/h`, ...sizeCells(all.filter(({ size }) => size >= 100))]);
    rows.push([`${rule}, all`, ...sizeCells(all)]);
  }
  return table([['rule, clicks', ...HEAD], ...rows]);
}

const HEAD = [
  'project-years',
  'alerts',
  'false',
  'precision (95 %)',
  'false a year',
  'strong incidents',
  'recall of them (95 %)',
  'weak',
  'recall',
];

function sizeCells(all: readonly Verdicts[]): (string | number)[] {
  const sum = (of: (verdicts: Verdicts) => number) => all.reduce((total, verdicts) => total + of(verdicts), 0);
  const years = sum(({ judgedHours }) => judgedHours) / YEAR_HOURS;
  const [alerts, wrong] = [sum((one) => one.alerts), sum(({ falseOnes }) => falseOnes.length)];
  const found = all.flatMap((verdicts) => verdicts.found);
  const strong = found.filter(({ label }) => isStrong(label.direction, label.strength));
  const weak = found.filter((one) => !strong.includes(one));
  return [
    years.toFixed(1),
    alerts,
    wrong,
    within(alerts - wrong, alerts),
    (wrong / years).toFixed(2),
    ...[strong.length, within(seen(strong), strong.length)],
    ...[weak.length, share(seen(weak), weak.length)],
  ];
}

/** What was found by kind and strength, with the hours until it was told. */
export function kindTable(found: readonly Found[]): string {
  const rows: (string | number)[][] = [];
  const kinds = Map.groupBy(found, ({ label }) => kindOf(label));
  for (const [kind, those] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const delays = those.flatMap(({ delayHours }) => delayHours ?? []).sort((a, b) => a - b);
    const at = (part: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? '–';
    const lengths = LENGTHS.map(([from, to]) =>
      those.filter(({ label }) => label.until - label.from >= from && label.until - label.from <= to),
    );
    rows.push([
      kind,
      ...[those.length, within(seen(those), those.length), at(0.5), at(0.9)],
      ...lengths.map((some) => share(seen(some), some.length)),
    ]);
  }
  const lengths = LENGTHS.map(([from, to]) => (from === to ? `${from} h` : `${from}–${to} h`));
  return table([['kind', 'incidents', 'recall (95 %)', 'hours: median', '9 of 10', ...lengths], ...rows]);
}

const LENGTHS = [
  [1, 1],
  [2, 3],
  [4, 12],
  [13, 48],
] as const;

function kindOf({ direction, strength, isPlanted }: Found['label']): string {
  const left: Record<Direction, string> = {
    drop: `drop to ${Math.round(strength * 100)} %`,
    spike: `spike of ${strength}x`,
    bot_flood: `flood of ${strength}x all`,
  };
  return isPlanted ? left[direction] : `campaign of ${Math.floor(strength)}–${Math.floor(strength) + 1}x at first`;
}

function seen(found: readonly Found[]): number {
  return found.filter(({ delayHours }) => delayHours !== null).length;
}

function share(part: number, all: number): string {
  return all === 0 ? '–' : (part / all).toFixed(2);
}

function within(right: number, all: number): string {
  const [low, high] = wilson(right, all);
  return all === 0 ? '–' : `${(right / all).toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}
