import {
  type Entry,
  type FormOf,
  flagUnless,
  jsonPart,
  listPart,
  newEntryId,
  number,
  required,
  requiredText,
  text,
} from '../../kernel/recordForm.ts';
import { newCondition, whenPart } from './conditions.ts';

const APP = { deepLinkPath: text, fallback: text };
const RULE = { name: text, when: whenPart, destination: required(requiredText) };
const SPLIT_ENTRY = { name: text, destination: required(requiredText), weight: required(number) };
const rulePart = jsonPart(RULE);
const splitPart = jsonPart(SPLIT_ENTRY);

/** Each box as the server does without it: the query is passed on, everything else is not. */
const ROUTING = {
  openApp: flagUnless(false),
  ios: jsonPart(APP),
  android: jsonPart(APP),
  rules: listPart(rulePart),
  split: listPart(splitPart),
  forwardQuery: flagUnless(true),
  forwardPath: flagUnless(false),
};

export type AppRouting = FormOf<typeof APP>;
export type Rule = Entry<FormOf<typeof RULE>>;
export type SplitEntry = Entry<FormOf<typeof SPLIT_ENTRY>>;
/** The routing of a link as the form holds it. */
export type Routing = FormOf<typeof ROUTING>;

export const routingPart = jsonPart(ROUTING);

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
