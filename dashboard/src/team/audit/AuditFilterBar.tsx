import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { timezone } from '../../kernel/times.ts';
import { dayIn, startOfDay } from '../../kernel/zones.ts';
import { type Team, useSession } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { DayField } from '../../ui/DayField.tsx';
import { textOf } from '../../ui/Said.tsx';
import styles from './audit.module.css';
import { type AuditSearch, actionsOf, isFiltered, NO_FILTERS } from './filters.ts';
import type { AuditEntry } from './operations.ts';

/** What the filters offer, beside the log, which does not wait for it. */
const CHOICES = graphql(`
  query AuditChoices($teamId: ID!) {
    auditActions {
      action
      about
    }
    members(teamId: $teamId, limit: 100) {
      data {
        userId
        email
      }
    }
  }
`);

const HOUR_MS = 3_600_000;

interface AuditFilterBarProps {
  team: Team;
  search: AuditSearch;
  /** Entries that are shown: they name actors who are no members. */
  rows: readonly AuditEntry[];
  onFilter: (changed: AuditSearch) => void;
}

/** The filters above the log. Each is in the address at once. */
export function AuditFilterBar({ team, search, rows, onFilter }: AuditFilterBarProps) {
  const { filters } = t.audit;
  const { projects } = useSession();
  const { data } = useAsk({
    about: 'team',
    document: CHOICES,
    variables: { teamId: team.id },
    freshMs: HOUR_MS,
  });
  const own = projects.filter(({ teamId }) => teamId === team.id);
  const actions = data?.auditActions ?? [];
  return (
    <div className={styles.filters}>
      <Select
        label={filters.actor}
        placeholder={filters.anybody}
        clearable
        searchable
        data={actorsOf(data?.members.data ?? [], rows, search.actor)}
        value={search.actor ?? null}
        onChange={(actor) => onFilter({ actor: actor ?? undefined })}
      />
      <MultiSelect
        label={filters.action}
        placeholder={search.action ? undefined : filters.anything}
        clearable
        searchable
        hidePickedOptions
        data={actions.map(({ action, about }) => ({ value: action, label: textOf(t.audit.actions, action) ?? about }))}
        value={data ? actionsOf(search).filter((action) => actions.some((known) => known.action === action)) : []}
        onChange={(chosen) => onFilter({ action: chosen.join(',') || undefined })}
      />
      {own.length > 1 || search.about_project ? (
        <Select
          label={filters.project}
          placeholder={filters.anyProject}
          clearable
          searchable
          data={own.map(({ id, name }) => ({ value: id, label: name }))}
          value={search.about_project ?? null}
          onChange={(project) => onFilter({ about_project: project ?? undefined })}
        />
      ) : null}
      <SubjectField key={search.subject ?? ''} subject={search.subject ?? ''} onFilter={onFilter} />
      <DayFilter name="created_after" label={filters.from} search={search} onFilter={onFilter} />
      <DayFilter name="created_before" label={filters.to} search={search} onFilter={onFilter} />
      {isFiltered(search) ? (
        <Button variant="subtle" onClick={() => onFilter(NO_FILTERS)}>
          {filters.clear}
        </Button>
      ) : null}
    </div>
  );
}

/** Members, and keys and people of before that the entries or the address name. */
function actorsOf(
  members: readonly { userId: string; email: string }[],
  rows: readonly AuditEntry[],
  chosen: string | undefined,
) {
  const names = new Map(members.map(({ userId, email }) => [userId, email]));
  for (const { actor } of rows) {
    if (actor.id !== null && actor.name !== null) names.set(actor.id, actor.name);
  }
  if (chosen && !names.has(chosen)) names.set(chosen, t.audit.filters.unknownActor(chosen));
  return [...names].map(([value, label]) => ({ value, label }));
}

function SubjectField({ subject, onFilter }: { subject: string; onFilter: (changed: AuditSearch) => void }) {
  const { filters } = t.audit;
  const [typed, setTyped] = useState(subject);
  const apply = () => {
    if (typed.trim() !== subject) onFilter({ subject: typed.trim() || undefined });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={filters.subject}
        placeholder={filters.subjectHint}
        maxLength={255}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}

const DAY_MS = 86_400_000;

interface DayFilterProps {
  name: 'created_after' | 'created_before';
  label: string;
  search: AuditSearch;
  onFilter: (changed: AuditSearch) => void;
}

/** A day in the zone of the page. The end in the address is exclusive: the last day that is meant is the one before. */
function DayFilter({ name, label, search, onFilter }: DayFilterProps) {
  const zone = timezone();
  const isEnd = name === 'created_before';
  const instant = Date.parse(search[name] ?? '') - (isEnd ? 1 : 0);
  const set = (day: string) => {
    if (day === '') return onFilter({ [name]: undefined });
    const start = startOfDay(zone, day);
    // Half a day into the next one: a day may have 23 or 25 hours.
    const end = isEnd ? startOfDay(zone, dayIn(zone, start + 1.5 * DAY_MS)) : start;
    onFilter({ [name]: new Date(end).toISOString() });
  };
  return <DayField label={label} day={Number.isNaN(instant) ? '' : dayIn(zone, instant)} onDay={set} />;
}
