import { objectOrNull } from '../../kernel/formValues.ts';
import { newEntryId } from '../../kernel/recordForm.ts';
import { CONDITION_KINDS, type Condition, type ConditionKind, isTime, isUnknown, type When } from './conditions.ts';

/** The conditions that the form cannot show, by their names in the API. */
export function unknownConditions({ origin }: When): string[] {
  const when = objectOrNull(origin);
  const not = objectOrNull(when?.not);
  const namesOf = (side: Record<string, unknown> | null) =>
    Object.keys(side ?? {}).filter((name) => isUnknown(name, side?.[name]));
  return [...namesOf(when).filter((name) => name !== 'not' || !not), ...namesOf(not)];
}

export function newCondition(kind: ConditionKind): Condition {
  return { id: newEntryId(), kind, isNegated: false, values: [] };
}

/** The kind as a sentence says it: `not after` is `before`, and the other way round. */
export function shownKind({ kind, isNegated }: Condition): ConditionKind {
  if (!isNegated || !isTime(kind)) return kind;
  return kind === 'after' ? 'before' : 'after';
}

/** Whether two conditions of a rule are alternatives: any value of such a condition is enough. */
export function areAlternatives(one: Condition, other: Condition): boolean {
  return one.kind === other.kind && !one.isNegated && !other.isNegated && !isTime(one.kind);
}

/** How many values the conditions above one have that are sent in one list with its own. */
export function valuesAbove(conditions: readonly Condition[], at: number): number {
  const { kind, isNegated } = conditions[at] as Condition;
  const sameSide = conditions.slice(0, at).filter((one) => one.kind === kind && one.isNegated === isNegated);
  return sameSide.reduce((count, { values }) => count + values.length, 0);
}

/** Alternatives next to each other, behind the first of them, as they are read together. */
export function withAlternativesTogether(conditions: readonly Condition[]): Condition[] {
  const isFirst = (one: Condition, at: number) => !conditions.slice(0, at).some((other) => areAlternatives(one, other));
  return conditions
    .filter(isFirst)
    .flatMap((first) => [first, ...conditions.filter((other) => other !== first && areAlternatives(first, other))]);
}

/** The first kind that the rule does not ask about yet. */
export function unusedKind(conditions: readonly Condition[]): ConditionKind {
  return CONDITION_KINDS.find((kind) => !conditions.some((condition) => condition.kind === kind)) ?? 'query';
}
