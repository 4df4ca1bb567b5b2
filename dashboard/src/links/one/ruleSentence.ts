import { countryName } from '../../kernel/countries.ts';
import { formatExactTime } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { shownKind } from '../builder/conditionRows.ts';
import { type Condition, isTime } from '../builder/conditions.ts';

/** A condition in words: `Country is Germany or Austria`. */
export function sentenceOf(condition: Condition): string {
  const { isNegated, values } = condition;
  const kind = shownKind(condition);
  const { kinds } = t.linkParts.rules;
  if (isTime(kind)) return `${kinds[kind]} ${formatExactTime(values[0] ?? '')}`;
  const shown = values.map((value) => wordOf(kind, value)).join(t.link.rules.or);
  return (isNegated ? t.link.rules.isNot : t.link.rules.is)(kinds[kind], shown);
}

function wordOf(kind: Condition['kind'], value: string): string {
  if (kind === 'country') return countryName(value);
  if (kind === 'platform') return t.states.platforms[value as keyof typeof t.states.platforms] ?? value;
  if (kind === 'device') return t.states.devices[value as keyof typeof t.states.devices] ?? value;
  return value;
}
