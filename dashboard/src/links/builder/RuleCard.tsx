import { ActionIcon, Button, TextInput } from '@mantine/core';
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../../texts/index.ts';
import { IconArrowDown, IconArrowUp, IconGrip, IconPlus, IconTrash } from '../../ui/icons.ts';
import { ConditionRow } from './ConditionRow.tsx';
import {
  areAlternatives,
  newCondition,
  unknownConditions,
  unusedKind,
  valuesAbove,
  withAlternativesTogether,
} from './conditionRows.ts';
import type { Condition } from './conditions.ts';
import styles from './RuleCard.module.css';
import type { Rule } from './routing.ts';

interface RuleCardProps {
  rule: Rule;
  index: number;
  isLast: boolean;
  problemOf: (path: string) => string | undefined;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
  onMove: (by: number) => void;
  /** Another rule was dropped on this one; its index. */
  onDropped: (from: number) => void;
}

/** What is dragged is a rule of this form, and nothing of another window. */
const DRAGGED = 'application/x-svc-rule';

/** One rule as a sentence: if …, and …, then go to …. Its place is changed by buttons, by Alt and arrow keys, or by dragging. */
export function RuleCard({ rule, index, isLast, problemOf, onChange, onRemove, onMove, onDropped }: RuleCardProps) {
  const [isOver, setIsOver] = useState(false);
  const { rules } = t.linkParts;
  const path = `routing.rules.${index}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined || (by < 0 ? index === 0 : isLast)) return;
    event.preventDefault();
    onMove(by);
  };
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    setIsOver(false);
    const from = event.dataTransfer.getData(DRAGGED);
    if (from === '') return;
    event.preventDefault();
    onDropped(Number(from));
  };
  const drag = (event: DragEvent) => {
    event.dataTransfer.setData(DRAGGED, String(index));
    event.dataTransfer.effectAllowed = 'move';
    const card = event.currentTarget.closest('fieldset');
    if (card) event.dataTransfer.setDragImage(card, 16, 16);
  };
  return (
    <fieldset
      className={styles.card}
      data-over={isOver || undefined}
      onKeyDown={onKeyDown}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <legend className={styles.legend}>{rules.rule(index + 1)}</legend>
      <div className={styles.tools}>
        {/* The buttons beside it do the same for everybody else. */}
        <span className={styles.grip} draggable onDragStart={drag} title={rules.drag} aria-hidden>
          <IconGrip size={16} />
        </span>
        <MoveButton label={rules.up} isOff={index === 0} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} />
        </MoveButton>
        <MoveButton label={rules.down} isOff={isLast} onClick={() => onMove(1)}>
          <IconArrowDown size={16} />
        </MoveButton>
        <ActionIcon variant="subtle" color="gray" aria-label={rules.remove} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <Conditions rule={rule} path={`${path}.when`} problemOf={problemOf} onChange={onChange} />
      <TextInput
        label={rules.thenWord}
        placeholder="https://"
        data-path={`${path}.destination`}
        value={rule.destination}
        error={problemOf(`${path}.destination`)}
        onChange={(event) => onChange({ ...rule, destination: event.currentTarget.value })}
      />
      <TextInput
        label={rules.name}
        data-path={`${path}.name`}
        value={rule.name}
        error={problemOf(`${path}.name`)}
        onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
      />
    </fieldset>
  );
}

interface ConditionsProps extends Pick<RuleCardProps, 'rule' | 'problemOf' | 'onChange'> {
  /** Of the conditions, in the input. */
  path: string;
}

/** Whom the rule is for: all conditions must hold, of alternatives one. */
function Conditions({ rule, path, problemOf, onChange }: ConditionsProps) {
  const { rules } = t.linkParts;
  const { conditions } = rule.when;
  const unknown = unknownConditions(rule.when);
  const set = (changed: readonly Condition[]) =>
    onChange({ ...rule, when: { ...rule.when, conditions: withAlternativesTogether(changed) } });
  const wordOf = (condition: Condition, at: number) => {
    const above = conditions[at - 1];
    if (!above) return rules.ifWord;
    return areAlternatives(above, condition) ? rules.or : rules.and;
  };
  return (
    <>
      {conditions.map((condition, at) => (
        <ConditionRow
          key={condition.id}
          condition={condition}
          word={wordOf(condition, at)}
          path={path}
          above={valuesAbove(conditions, at)}
          problemOf={problemOf}
          onChange={(changed) => set(conditions.map((one) => (one.id === condition.id ? changed : one)))}
          onRemove={() => set(conditions.filter(({ id }) => id !== condition.id))}
        />
      ))}
      {unknown.length > 0 ? <p className={styles.unknown}>{rules.unknown(unknown.join(', '))}</p> : null}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          data-path={path}
          onClick={() => set([...conditions, newCondition(unusedKind(conditions))])}
        >
          {rules.addCondition}
        </Button>
        {problemOf(path) ? <span className={styles.problem}>{problemOf(path)}</span> : null}
      </div>
    </>
  );
}

interface MoveButtonProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** Not `disabled` at the ends of the list: the rule that was moved there would lose the focus. */
function MoveButton({ label, isOff, onClick, children }: MoveButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-disabled={isOff}
      data-disabled={isOff || undefined}
      onClick={() => isOff || onClick()}
    >
      {children}
    </ActionIcon>
  );
}
