import type { JsonObject } from '../../kernel/graphql.ts';

/** What a rule can ask of a visitor, in the order in which it is offered. */
export const CONDITION_KINDS = [
  'platform',
  'device',
  'country',
  'language',
  'referrer_host',
  'query',
  'after',
  'before',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** One condition of a rule: `country is DE, AT`. Queries are `name` or `name=value`, times are local. */
export interface Condition {
  id: string;
  kind: ConditionKind;
  isNegated: boolean;
  values: string[];
}

export interface Rule {
  id: string;
  name: string;
  conditions: Condition[];
  destination: string;
}

export interface SplitEntry {
  id: string;
  name: string;
  destination: string;
  weight: string;
}

export interface AppRouting {
  deepLinkPath: string;
  fallback: string;
}

/** The routing of a link as the form holds it; ids are for React alone. */
export interface Routing {
  openApp: boolean;
  ios: AppRouting;
  android: AppRouting;
  rules: Rule[];
  split: SplitEntry[];
  forwardQuery: boolean;
  forwardPath: boolean;
}

type Wire = Partial<Record<ConditionKind, unknown>>;

export function wireToRouting(wire: JsonObject | null): Routing {
  const given = (wire ?? {}) as Record<string, never>;
  return {
    openApp: given.open_app ?? false,
    ios: appOf(given.ios),
    android: appOf(given.android),
    rules: ((given.rules ?? []) as JsonObject[]).map((rule) => ({
      id: newId(),
      name: String(rule.name ?? ''),
      conditions: conditionsOf((rule.when ?? {}) as Wire & { not?: Wire }),
      destination: String(rule.destination ?? ''),
    })),
    split: ((given.split ?? []) as JsonObject[]).map(({ name, destination, weight }) => ({
      id: newId(),
      name: String(name ?? ''),
      destination: String(destination ?? ''),
      weight: String(weight ?? ''),
    })),
    forwardQuery: given.forward_query ?? false,
    forwardPath: given.forward_path ?? false,
  };
}

/** As the API takes it: nothing that is not set, and null where nothing is. */
export function routingToWire(routing: Routing): JsonObject | null {
  const wire = {
    ...(routing.openApp ? { open_app: true } : {}),
    ...wireApp('ios', routing.ios),
    ...wireApp('android', routing.android),
    ...(routing.rules.length > 0 ? { rules: routing.rules.map(wireRule) } : {}),
    ...(routing.split.length > 0 ? { split: routing.split.map(wireSplit) } : {}),
    ...(routing.forwardQuery ? { forward_query: true } : {}),
    ...(routing.forwardPath ? { forward_path: true } : {}),
  };
  return Object.keys(wire).length > 0 ? (wire as JsonObject) : null;
}

export function newRule(): Rule {
  return { id: newId(), name: '', conditions: [newCondition('platform')], destination: '' };
}

export function newCondition(kind: ConditionKind): Condition {
  return { id: newId(), kind, isNegated: false, values: [] };
}

export function newSplitEntry(destination: string): SplitEntry {
  return { id: newId(), name: '', destination, weight: '1' };
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

function conditionsOf({ not, ...when }: Wire & { not?: Wire }): Condition[] {
  return [
    ...CONDITION_KINDS.flatMap((kind) => conditionOf(kind, when[kind], false)),
    ...CONDITION_KINDS.flatMap((kind) => conditionOf(kind, not?.[kind], true)),
  ];
}

function conditionOf(kind: ConditionKind, value: unknown, isNegated: boolean): Condition[] {
  if (value === undefined || value === null) return [];
  return [{ id: newId(), kind, isNegated, values: valuesOf(kind, value) }];
}

function valuesOf(kind: ConditionKind, value: unknown): string[] {
  if (kind === 'after' || kind === 'before') return [localText(String(value))];
  if (kind !== 'query') return (value as unknown[]).map(String);
  return (value as { name: string; value?: string | null }[]).map(({ name, value }) =>
    value === undefined || value === null ? name : `${name}=${value}`,
  );
}

function wireRule({ name, conditions, destination }: Rule) {
  const part = (isNegated: boolean) =>
    Object.fromEntries(
      conditions
        .filter((condition) => condition.isNegated === isNegated && condition.values.some(Boolean))
        .map(({ kind, values }) => [kind, wireValues(kind, values)]),
    );
  const not = part(true);
  const when = { ...part(false), ...(Object.keys(not).length > 0 ? { not } : {}) };
  return { ...(name ? { name } : {}), when, destination: destination.trim() };
}

function wireValues(kind: ConditionKind, values: readonly string[]) {
  if (kind === 'after' || kind === 'before') return new Date(values[0] ?? '').toISOString();
  if (kind !== 'query') return values;
  return values.map((text) => {
    const at = text.indexOf('=');
    return at < 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
  });
}

function wireSplit({ name, destination, weight }: SplitEntry) {
  return { ...(name ? { name } : {}), destination: destination.trim(), weight: Number(weight) };
}

function wireApp(platform: 'ios' | 'android', { deepLinkPath, fallback }: AppRouting) {
  if (!deepLinkPath && !fallback) return {};
  const path = deepLinkPath ? { deep_link_path: deepLinkPath } : {};
  return { [platform]: { ...path, ...(fallback ? { fallback: fallback.trim() } : {}) } };
}

function appOf(wire: { deep_link_path?: string | null; fallback?: string | null } | null | undefined): AppRouting {
  return { deepLinkPath: wire?.deep_link_path ?? '', fallback: wire?.fallback ?? '' };
}

function localText(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

let lastId = 0;
function newId(): string {
  lastId += 1;
  return `r${lastId}`;
}
