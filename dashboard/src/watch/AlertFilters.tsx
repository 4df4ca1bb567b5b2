import { Group } from '@mantine/core';
import { useProject, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { ALERT_STATUSES, type AlertKind, SEVERITIES } from './alerts.ts';
import { Choice } from './Choice.tsx';

/** The filters of the list of alerts, as its address has them. */
export interface AlertSearch {
  team?: string | undefined;
  status?: string | undefined;
  severity?: string | undefined;
  kind?: string | undefined;
}

/** Without one in the address only open alerts are shown; this is for all of them. */
export const ANY_STATUS = 'all';

/** The filters of the API; what is not one of its words is dropped. */
export function filterOf({ status = 'open', severity, kind }: AlertSearch) {
  return {
    status: ALERT_STATUSES.find((one) => one === status) ?? (status === ANY_STATUS ? null : ('open' as const)),
    severity: SEVERITIES.find((one) => one === severity) ?? null,
    kind: kindNames().find((one) => one === kind) ?? null,
  };
}

function kindNames(): AlertKind[] {
  return Object.keys(t.watch.kinds) as AlertKind[];
}

interface AlertFiltersProps {
  search: AlertSearch;
  /** The team whose alerts are shown; null: those of the project. */
  teamId: string | null;
  onChange: (changed: AlertSearch) => void;
}

export function AlertFilters({ search, teamId, onChange }: AlertFiltersProps) {
  const { teams } = useSession();
  const project = useProject();
  const { filters } = t.watch.alerts;
  const { status, severity, kind } = filterOf(search);
  const all = { value: '', label: filters.all };
  return (
    <Group align="flex-end" gap={12}>
      <Choice
        label={filters.where}
        value={teamId ?? ''}
        options={[
          ...(project ? [{ value: '', label: filters.project(project.name) }] : []),
          ...teams.map(({ id, name }) => ({ value: id, label: filters.team(name) })),
        ]}
        onChoose={(value) => onChange({ team: value || undefined })}
      />
      <Choice
        label={filters.status}
        value={status ?? ANY_STATUS}
        options={[
          ...ALERT_STATUSES.map((value) => ({ value, label: t.states.alert[value] })),
          { value: ANY_STATUS, label: filters.all },
        ]}
        onChoose={(value) => onChange({ status: value })}
      />
      <Choice
        label={filters.severity}
        value={severity ?? ''}
        options={[all, ...SEVERITIES.map((value) => ({ value, label: t.states.severity[value] }))]}
        onChoose={(value) => onChange({ severity: value || undefined })}
      />
      <Choice
        label={filters.kind}
        value={kind ?? ''}
        options={[all, ...kindNames().map((value) => ({ value, label: t.watch.kinds[value].name }))]}
        onChoose={(value) => onChange({ kind: value || undefined })}
      />
    </Group>
  );
}
