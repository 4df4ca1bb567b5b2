import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { formatCount } from '../../kernel/numbers.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import type { DeliveryStatus } from '../state/chips.tsx';
import styles from './one.module.css';
import { instantOf, localText } from './times.ts';

/** Beside the list, which must not wait for it: with a million deliveries it takes a moment. */
const COUNTS = graphql(`
  query DeliveryCounts(
    $webhookId: ID!
    $status: DeliveryStatus
    $eventType: String
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
  ) {
    statuses: deliveryCount(
      webhookId: $webhookId
      groupBy: status
      eventType: $eventType
      createdAfter: $createdAfter
      createdBefore: $createdBefore
    ) {
      data {
        key
        count
      }
    }
    types: deliveryCount(
      webhookId: $webhookId
      groupBy: event_type
      status: $status
      createdAfter: $createdAfter
      createdBefore: $createdBefore
    ) {
      data {
        key
        count
      }
    }
  }
`);

export const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const satisfies DeliveryStatus[];

/** The filters of the list, as the address holds them. */
export interface DeliverySearch {
  status?: string | undefined;
  event_type?: string | undefined;
  event_id?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

/** What the filters of an address are to the server; what is wrong in them is none. */
export function variablesOf(search: DeliverySearch) {
  return {
    status: STATUSES.find((known) => known === search.status) ?? null,
    eventType: search.event_type || null,
    eventId: search.event_id || null,
    createdAfter: instantOf(search.created_after),
    createdBefore: instantOf(search.created_before),
  };
}

interface FiltersProps {
  webhookId: string;
  search: DeliverySearch;
  /** Goes to the address with these parameters changed. */
  onFilter: (changed: DeliverySearch & { open?: string | undefined }) => void;
}

/** The filters above the list. Each is in the address at once. */
export function DeliveryFilters({ webhookId, search, onFilter }: FiltersProps) {
  const { service } = useSession();
  const { deliveries } = t.webhooks;
  const { eventId: _, ...variables } = variablesOf(search);
  const { data } = useAsk({ about: 'deliveries', document: COUNTS, variables: { webhookId, ...variables } });
  const labelOf = (
    groups: readonly { key: string; count: number }[] | null | undefined,
    key: string,
    label: string,
  ) => {
    const count = groups?.find((group) => group.key === key)?.count;
    return count === undefined ? label : deliveries.counted(label, formatCount(count));
  };
  const isFiltered = Object.values(variablesOf(search)).some((value) => value !== null);
  return (
    <div className={styles.filters}>
      <Select
        label={deliveries.status}
        clearable
        placeholder={deliveries.any}
        data={STATUSES.map((value) => ({
          value,
          label: labelOf(data?.statuses.data, value, t.states.delivery[value]),
        }))}
        value={variables.status}
        onChange={(value) => onFilter({ status: value ?? undefined })}
      />
      <Select
        label={deliveries.type}
        clearable
        searchable
        placeholder={deliveries.any}
        data={[...service.eventTypes.map(({ type }) => type), 'batch'].map((type) => ({
          value: type,
          label: labelOf(data?.types.data, type, type),
        }))}
        value={search.event_type ?? null}
        onChange={(value) => onFilter({ event_type: value ?? undefined })}
      />
      <TimeField
        label={deliveries.from}
        value={search.created_after}
        onChange={(created_after) => onFilter({ created_after })}
      />
      <TimeField
        label={deliveries.to}
        value={search.created_before}
        onChange={(created_before) => onFilter({ created_before })}
      />
      <IdField key={search.event_id ?? ''} eventId={search.event_id ?? ''} onFilter={onFilter} />
      {isFiltered ? (
        <Button
          variant="subtle"
          className={styles.clear}
          onClick={() =>
            onFilter({
              status: undefined,
              event_type: undefined,
              event_id: undefined,
              created_after: undefined,
              created_before: undefined,
            })
          }
        >
          {deliveries.clear}
        </Button>
      ) : null}
    </div>
  );
}

interface TimeFieldProps {
  label: string;
  value: string | undefined;
  onChange: (instant: string | undefined) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  const instant = instantOf(value);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={instant ? localText(Date.parse(instant)) : ''}
      onChange={(event) => onChange(instantOf(event.currentTarget.value) ?? undefined)}
    />
  );
}

/** Opens the delivery with an id, or filters by that of an event. */
function IdField({ eventId, onFilter }: { eventId: string } & Pick<FiltersProps, 'onFilter'>) {
  const [text, setText] = useState(eventId);
  const [isWrong, setIsWrong] = useState(false);
  const { deliveries } = t.webhooks;
  const find = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    setIsWrong(id !== '' && !/^(evt|dlv)_\w+$/.test(id));
    if (id.startsWith('dlv_')) onFilter({ open: id });
    else if (id === '' || id.startsWith('evt_')) onFilter({ event_id: id || undefined });
  };
  return (
    <form onSubmit={find} noValidate className={styles.id}>
      <TextInput
        label={deliveries.id}
        placeholder="evt_…, dlv_…"
        spellCheck={false}
        autoComplete="off"
        value={text}
        error={isWrong ? deliveries.badId : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
