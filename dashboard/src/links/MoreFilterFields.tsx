import { Select } from '@mantine/core';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useCan } from '../session/permissions.ts';
import { useSession, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import styles from './FilterBar.module.css';
import type { LinkFilters } from './filters.ts';

const MEMBERS = graphql(`
  query LinkAuthors($teamId: ID!) {
    members(teamId: $teamId, limit: 100) {
      data {
        userId
        email
      }
    }
  }
`);

const KEYS = graphql(`
  query LinkAuthorKeys($projectId: ID!) {
    keys(projectId: $projectId, limit: 100) {
      data {
        id
        name
      }
    }
  }
`);

export interface MoreFiltersProps {
  projectId: string;
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
}

/** The panel of MoreFilters. */
export function MoreFilterFields({ projectId, filters, setFilters }: MoreFiltersProps) {
  const { filters: words } = t.links;
  const { user } = useSession();
  const team = useTeam();
  const { isAllowed: seesKeys } = useCan('keys:read');
  const members = useAsk({
    about: 'team',
    document: MEMBERS,
    variables: { teamId: team?.id ?? '' },
    isEnabled: !!team,
  });
  const keys = useAsk({ about: 'keys', document: KEYS, variables: { projectId }, isEnabled: seesKeys });
  const known = [
    { value: user.id, label: words.byMe },
    ...(members.data?.members.data ?? [])
      .filter(({ userId }) => userId !== user.id)
      .map(({ userId, email }) => ({ value: userId, label: email })),
    ...(keys.data?.keys.data ?? []).map(({ id, name }) => ({ value: id, label: words.byKey(name) })),
  ];
  const chosen = filters.created_by;
  const authors =
    chosen && !known.some(({ value }) => value === chosen) ? [...known, { value: chosen, label: chosen }] : known;
  return (
    <>
      <Select
        label={words.createdBy}
        placeholder={words.anybody}
        data={authors}
        value={chosen ?? null}
        clearable
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => setFilters({ created_by: value ?? undefined })}
      />
      <fieldset className={styles.checks}>
        <legend className="visually-hidden">{words.more}</legend>
        {(['true', 'false'] as const).map((value) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={filters.has_routing === value}
              onChange={(event) => setFilters({ has_routing: event.currentTarget.checked ? value : undefined })}
            />
            <span>{value === 'true' ? words.hasRouting : words.hasNoRouting}</span>
          </label>
        ))}
        {filters.batch_id ? (
          <label>
            <input type="checkbox" checked onChange={() => setFilters({ batch_id: undefined })} />
            <span>{words.batch}</span>
          </label>
        ) : null}
      </fieldset>
    </>
  );
}
