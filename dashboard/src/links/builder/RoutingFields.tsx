import { ActionIcon, Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatShare } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import type { FieldsProps } from './LinkForm.tsx';
import styles from './RoutingSection.module.css';
import { RuleCard } from './RuleCard.tsx';
import type { Routing, SplitEntry } from './routing.ts';
import { moved, newRule, newSplitEntry, sharesOf } from './routingEdits.ts';

/** Rules, then a split, then what is passed on to the destination. */
export function RoutingFields(props: FieldsProps) {
  const { draft, change } = props;
  const { routing } = draft;
  const setRouting = (changed: Partial<Routing>) => change({ routing: { ...routing, ...changed } });
  return (
    <>
      <Rules {...props} setRouting={setRouting} />
      <Split {...props} setRouting={setRouting} />
      <Checkbox
        label={t.linkParts.forward.query}
        checked={routing.forwardQuery}
        onChange={(event) => setRouting({ forwardQuery: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.linkParts.forward.path}
        checked={routing.forwardPath}
        onChange={(event) => setRouting({ forwardPath: event.currentTarget.checked })}
      />
    </>
  );
}

type PartProps = FieldsProps & { setRouting: (changed: Partial<Routing>) => void };

function Rules({ draft, problemOf, setRouting }: PartProps) {
  const { rules } = draft.routing;
  const [told, setTold] = useState('');
  const move = (index: number, by: number) => {
    setRouting({ rules: moved(rules, index, by) });
    setTold(t.linkParts.rules.moved(index + 1, index + by + 1, rules.length));
  };
  return (
    <div className={styles.group}>
      <p className={styles.about}>{t.linkParts.rules.about}</p>
      {rules.length > 1 ? <p className={styles.about}>{t.linkParts.rules.order}</p> : null}
      <span className="visually-hidden" role="status">
        {told}
      </span>
      {rules.map((rule, index) => (
        <RuleCard
          key={rule.id}
          rule={rule}
          index={index}
          isLast={index === rules.length - 1}
          problemOf={problemOf}
          onChange={(changed) => setRouting({ rules: rules.map((one) => (one.id === rule.id ? changed : one)) })}
          onRemove={() => setRouting({ rules: rules.filter(({ id }) => id !== rule.id) })}
          onMove={(by) => move(index, by)}
          onDropped={(from) => from === index || move(from, index - from)}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setRouting({ rules: [...rules, newRule()] })}
          data-path="routing.rules"
        >
          {t.linkParts.rules.add}
        </Button>
      </div>
    </div>
  );
}

function Split({ draft, problemOf, setRouting }: PartProps) {
  const { split } = draft.routing;
  const shares = sharesOf(split);
  const setEntry = (id: string, changed: Partial<SplitEntry>) =>
    setRouting({ split: split.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)) });
  const add = () => {
    const first = split.length === 0 ? [newSplitEntry(draft.destination)] : [];
    setRouting({ split: [...split, ...first, newSplitEntry('')] });
  };
  const remove = (id: string) => {
    const left = split.filter((entry) => entry.id !== id);
    setRouting({ split: left.length < 2 ? [] : left });
  };
  return (
    <div className={styles.group}>
      <h2 className={styles.title}>{t.linkParts.split.title}</h2>
      <p className={styles.about}>{t.linkParts.split.about}</p>
      {split.map((entry, index) => (
        <div key={entry.id} className={styles.split}>
          <TextInput
            label={t.builder.destination}
            data-path={`routing.split.${index}.destination`}
            value={entry.destination}
            error={problemOf(`routing.split.${index}.destination`)}
            onChange={(event) => setEntry(entry.id, { destination: event.currentTarget.value })}
          />
          <TextInput
            label={t.linkParts.split.name}
            data-path={`routing.split.${index}.name`}
            value={entry.name}
            error={problemOf(`routing.split.${index}.name`)}
            onChange={(event) => setEntry(entry.id, { name: event.currentTarget.value })}
          />
          <NumberInput
            label={t.linkParts.split.weight}
            description={t.linkParts.split.share(formatShare(shares[index] ?? 0))}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            data-path={`routing.split.${index}.weight`}
            value={entry.weight}
            error={problemOf(`routing.split.${index}.weight`)}
            onChange={(weight) => setEntry(entry.id, { weight: String(weight) })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.linkParts.split.remove}
            onClick={() => remove(entry.id)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add} data-path="routing.split">
          {split.length === 0 ? t.linkParts.split.start : t.linkParts.split.add}
        </Button>
      </div>
    </div>
  );
}
