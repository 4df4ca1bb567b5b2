import { useNavigate, useSearch } from '@tanstack/react-router';
import type { JsonObject } from '../kernel/graphql.ts';
import { usePages } from '../kernel/queries.ts';
import { type Team, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Changes } from '../ui/Changes.tsx';
import { onDemand } from '../ui/onDemand.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Said, textOf } from '../ui/Said.tsx';
import { EmptyState, LoadingRows } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { ActorOf, SubjectOf } from './audit/cells.tsx';
import { ExportButton } from './audit/ExportButton.tsx';
import { type AuditSearch, filterVariables, isFiltered } from './audit/filters.ts';
import { AUDIT_LOG } from './audit/operations.ts';
import { TeamSelect } from './TeamSelect.tsx';

const FIELD_HEIGHT = 60;

// The log need not wait for the fields.
const AuditFilterBar = onDemand(
  () => import('./audit/AuditFilterBar.tsx').then(({ AuditFilterBar }) => AuditFilterBar),
  {
    fallback: <LoadingRows rows={1} height={FIELD_HEIGHT} />,
  },
);

/** Who did what in the team; the filters are in the address. */
export function AuditPage() {
  const team = useTeam();
  const { audit } = t;
  return team ? (
    <AuditLog key={team.id} team={team} />
  ) : (
    <Page title={audit.title} back="/team">
      <EmptyState title={t.shell.noTeam} />
    </Page>
  );
}

const PAGE_ROWS = 50;

function AuditLog({ team }: { team: Team }) {
  const { audit } = t;
  const search = useSearch({ from: '/shell/team/audit' });
  const navigate = useNavigate({ from: '/team/audit' });
  const filters = filterVariables(team.id, search);
  const query = usePages({
    about: 'audit',
    document: AUDIT_LOG,
    variables: { ...filters, limit: PAGE_ROWS },
    pageOf: (data) => data.auditLog,
  });
  const filter = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <Page
      title={audit.title}
      back="/team"
      backSearch={{ team: team.id }}
      about={audit.about}
      actions={
        <>
          <TeamSelect teamId={team.id} />
          <ExportButton filters={filters} isEmpty={query.rows.length === 0} />
        </>
      }
    >
      <AuditFilterBar team={team} search={search} rows={query.rows} onFilter={filter} />
      <Card isFlush>
        <RecordTable
          label={audit.title}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={isFiltered(search) ? audit.nothingFound : audit.empty} />}
          columns={[
            { title: audit.when, cell: ({ createdAt }) => <Time at={createdAt} />, isWords: true },
            {
              title: audit.who,
              cell: (entry) => <ActorOf entry={entry} onFilter={filter} />,
            },
            {
              title: audit.what,
              cell: ({ action, about, details }) => (
                <>
                  <Said text={textOf(audit.actions, action)} english={about} />
                  <Changes details={details as JsonObject} nothing={audit.nothing} />
                </>
              ),
            },
            { title: audit.subject, cell: (entry) => <SubjectOf entry={entry} team={team.id} onFilter={filter} /> },
          ]}
        />
      </Card>
    </Page>
  );
}
