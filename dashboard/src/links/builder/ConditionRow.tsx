import { ActionIcon, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { countryOptions } from '../../kernel/countryOptions.ts';
import { localTime } from '../../kernel/localTimes.ts';
import { t } from '../../texts/index.ts';
import { IconClose } from '../../ui/icons.ts';
import { DEVICES, PLATFORMS } from '../platforms.ts';
import { shownKind } from './conditionRows.ts';
import { CONDITION_KINDS, type Condition, type ConditionKind, isTime } from './conditions.ts';
import styles from './RuleCard.module.css';

interface ConditionRowProps {
  condition: Condition;
  word: string;
  /** Of the conditions of the rule, in the input. */
  path: string;
  /** How many values of this kind stand in the rows above, with which these are sent. */
  above: number;
  problemOf: (path: string) => string | undefined;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

/** One condition: what is asked, whether it must hold or must not, and the values. */
export function ConditionRow({ condition, word, path, above, problemOf, onChange, onRemove }: ConditionRowProps) {
  const { rules } = t.linkParts;
  return (
    <div className={styles.condition}>
      <span className={styles.word}>{word}</span>
      <Select
        aria-label={rules.kind}
        data={CONDITION_KINDS.map((kind) => ({ value: kind, label: rules.kinds[kind] }))}
        value={shownKind(condition)}
        allowDeselect={false}
        onChange={(kind) => onChange(ofKind(condition, kind as ConditionKind))}
      />
      {isTime(condition.kind) ? (
        <span />
      ) : (
        <Select
          aria-label={rules.negation}
          data={[
            { value: 'is', label: rules.is },
            { value: 'not', label: rules.isNot },
          ]}
          value={condition.isNegated ? 'not' : 'is'}
          onChange={(value) => onChange({ ...condition, isNegated: value === 'not' })}
        />
      )}
      <ValuesField condition={condition} path={path} above={above} problemOf={problemOf} onChange={onChange} />
      <ActionIcon variant="subtle" color="gray" aria-label={rules.removeCondition} onClick={onRemove}>
        <IconClose size={16} />
      </ActionIcon>
    </div>
  );
}

/** Between two times only the side changes. */
function ofKind(condition: Condition, kind: ConditionKind): Condition {
  const isKept = isTime(kind) && isTime(condition.kind);
  const isNegated = condition.isNegated && !isTime(kind) && !isTime(condition.kind);
  return { ...condition, kind, isNegated, values: isKept ? condition.values : [] };
}

function ValuesField({ condition, path, above, problemOf, onChange }: Omit<ConditionRowProps, 'word' | 'onRemove'>) {
  const { rules } = t.linkParts;
  const { kind, values } = condition;
  const at = `${path}${condition.isNegated ? '.not' : ''}.${kind}`;
  const field = {
    className: styles.values,
    'aria-label': `${rules.kinds[shownKind(condition)]}: ${rules.values}`,
    'data-path': at,
    placeholder: values.length === 0 ? rules.hints[kind] : '',
    error: problemOf(at) ?? values.map((_, index) => problemOf(`${at}.${above + index}`)).find(Boolean),
  };
  const set = (changed: string[]) => onChange({ ...condition, values: changed });
  if (isTime(kind)) {
    return (
      <TextInput
        {...field}
        type="datetime-local"
        value={localTime(values[0] ?? '')}
        onChange={(event) => set([event.currentTarget.value])}
      />
    );
  }
  const options = optionsOf(kind, values);
  if (options)
    return <MultiSelect {...field} data={options} value={values} onChange={set} searchable hidePickedOptions />;
  return <TagsInput {...field} value={values} onChange={set} acceptValueOnBlur />;
}

/** The values to choose from; null where they are written. */
function optionsOf(kind: ConditionKind, values: readonly string[]): { value: string; label: string }[] | null {
  if (kind === 'platform') return PLATFORMS.map((value) => ({ value, label: t.states.platforms[value] }));
  if (kind === 'device') return DEVICES.map((value) => ({ value, label: t.states.devices[value] }));
  if (kind === 'country') return countryOptions(values);
  return null;
}
