import { newEntryId } from '../../kernel/recordForm.ts';
import { newCondition } from './conditionRows.ts';
import { type Rule, rulePart, type SplitEntry, splitPart } from './routing.ts';

export function newRule(): Rule {
  return { ...rulePart.read(null), when: { conditions: [newCondition('platform')], origin: null }, id: newEntryId() };
}

export function newSplitEntry(destination: string): SplitEntry {
  return { ...splitPart.read(null), destination, weight: '1', id: newEntryId() };
}

/** The share of each entry of a split, between 0 and 1. */
export function sharesOf(split: readonly SplitEntry[]): number[] {
  const weights = split.map(({ weight }) => Math.max(Number(weight) || 0, 0));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}

/** Moves an item of a list by some places. */
export function moved<Item>(list: readonly Item[], index: number, by: number): Item[] {
  const rest = list.filter((_, at) => at !== index);
  const item = list[index];
  return item === undefined ? [...list] : [...rest.slice(0, index + by), item, ...rest.slice(index + by)];
}
