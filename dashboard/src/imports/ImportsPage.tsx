import { Link, useNavigate } from '@tanstack/react-router';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconPlus } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Chip, LOOKS, StateChip } from '../ui/StateChip.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';

const IMPORTS = graphql(`
  query Imports($projectId: ID!, $cursor: String) {
    imports(projectId: $projectId, cursor: $cursor, limit: 25) {
      data {
        id
        sourceFormat
        status
        dryRun
        createdAt
        counts {
          rows
          created
          updated
          failed
        }
      }
      nextCursor
    }
  }
`);

export function ImportsPage() {
  const projectId = useProjectId();
  const query = usePages({
    about: 'imports',
    document: IMPORTS,
    variables: { projectId },
    pageOf: (data) => data.imports,
  });
  const { imports } = t;
  return (
    <Page title={imports.title} about={imports.about} actions={<NewButton />}>
      <Card isFlush>
        <RecordTable
          label={imports.title}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={imports.empty} actions={<NewButton />} />}
          columns={[
            {
              title: imports.when,
              cell: ({ id, createdAt }) => (
                <Link to="/imports/$importId" params={{ importId: id }}>
                  <Time at={createdAt} />
                </Link>
              ),
            },
            { title: imports.format, cell: ({ sourceFormat }) => imports.formats[sourceFormat] },
            {
              title: t.links.columns.state,
              cell: ({ status, dryRun }) => (
                <>
                  <StateChip look={LOOKS.import[status]}>{t.states.import[status]}</StateChip>{' '}
                  {dryRun ? <Chip>{imports.dry}</Chip> : null}
                </>
              ),
            },
            { title: imports.counts, isNumber: true, cell: ({ counts }) => formatExact(counts.rows) },
            { title: imports.outcomes.created, isNumber: true, cell: ({ counts }) => formatExact(counts.created) },
            { title: imports.outcomes.updated, isNumber: true, cell: ({ counts }) => formatExact(counts.updated) },
            { title: imports.outcomes.failed, isNumber: true, cell: ({ counts }) => formatExact(counts.failed) },
          ]}
        />
      </Card>
    </Page>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <GuardedButton
      scope="links:write"
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ to: '/imports/new' })}
    >
      {t.imports.new}
    </GuardedButton>
  );
}
