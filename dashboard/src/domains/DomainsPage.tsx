import { Link, useNavigate } from '@tanstack/react-router';
import { usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProject, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconPlus } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Chip, LOOKS, StateChip } from '../ui/StateChip.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { DOMAINS } from './operations.ts';

const POLL_MS = 30_000;

/** The domains of the project, with what is wrong with each. */
export function DomainsPage() {
  const project = useProject();
  const { service } = useSession();
  const query = usePages({
    about: 'domains',
    document: DOMAINS,
    variables: { projectId: project?.id ?? '' },
    pageOf: (data) => data.domains,
    pollMs: (rows) => (rows.some(({ status }) => status !== 'verified') ? POLL_MS : false),
  });
  const { columns } = t.domains;
  return (
    <Page title={t.domains.title} about={t.domains.about} actions={<NewButton />}>
      <Card isFlush>
        <RecordTable
          label={t.domains.title}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={
            <EmptyState
              title={t.domains.empty}
              body={t.domains.emptyBody(service.linkDomain)}
              actions={<NewButton />}
            />
          }
          columns={[
            {
              title: columns.domain,
              isName: true,
              cell: ({ id, hostname, unicodeHostname }) => (
                <>
                  <Link to="/domains/$domainId" params={{ domainId: id }}>
                    {unicodeHostname}
                  </Link>{' '}
                  {hostname === project?.defaultDomain ? <Chip tone="accent">{t.domains.isDefault}</Chip> : null}
                  {hostname === unicodeHostname ? null : <div>{hostname}</div>}
                </>
              ),
            },
            { title: columns.kind, cell: ({ kind }) => t.domains.kinds[kind], isWords: true },
            {
              title: columns.state,
              cell: ({ status, problem }) => (
                <>
                  <StateChip look={LOOKS.domain[status]}>{t.states.domain[status]}</StateChip>
                  {problem ? <div lang="en">{problem}</div> : null}
                </>
              ),
            },
            {
              title: columns.checked,
              cell: ({ checkedAt }) => (checkedAt ? <Time at={checkedAt} /> : t.domains.notChecked),
            },
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
      scope="domains:write"
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ to: '/domains/new' })}
    >
      {t.domains.new}
    </GuardedButton>
  );
}
