import type { Told } from './Detector.ts';
import type { Label, Traffic } from './makeTraffic.ts';

/** An incident, and after how many hours it was told; null: never. */
export interface Found {
  label: Label;
  size: number;
  /** The hours until the end of the one after which it was told: 1 is the first possible. */
  delayHours: number | null;
}

/** What a rule told of some traffic. A second alert for the same incident is a false one. */
export interface Verdicts {
  size: number;
  found: Found[];
  alerts: number;
  falseOnes: Told[];
  judgedHours: number;
}

/** So long after its end an incident may still be told: of the last two of its hours. */
const LATE_HOURS = 2;

export function judgeTold({ size, labels, people, judgedFrom }: Traffic, told: readonly Told[]): Verdicts {
  const right = new Set<Told>();
  const judged = labels.filter(({ from }) => from >= judgedFrom);
  const found = judged.map((label): Found => {
    const first = told.find((alert) => !right.has(alert) && isOf(alert, label));
    if (first) right.add(first);
    return { label, size, delayHours: first ? Math.max(1, first.at - label.from + 1) : null };
  });
  // Of a campaign that began before.
  const early = labels.filter(({ from }) => from < judgedFrom);
  for (const label of early) for (const alert of told) if (isOf(alert, label)) right.add(alert);
  const falseOnes = told.filter((alert) => !right.has(alert));
  return { size, found, alerts: told.length, falseOnes, judgedHours: people.length - judgedFrom };
}

function isOf({ direction, at }: Told, label: Label): boolean {
  return direction === label.direction && at >= label.from && at < label.until + LATE_HOURS;
}
