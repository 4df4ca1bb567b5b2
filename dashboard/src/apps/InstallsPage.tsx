import { Button, Group } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { graphql } from '../kernel/graphql.ts';
import { usePages } from '../kernel/queries.ts';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Chip } from '../ui/StateChip.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { InstallFilters } from './InstallFilters.tsx';
import { InstallLink, MatchChip, shownId } from './installCells.tsx';
import { type InstallSearch, isFiltered, NO_FILTERS, variablesOf } from './installSearch.ts';

const INSTALLS = graphql(`
  query Installs(
    $projectId: ID!
    $platform: AppPlatform
    $method: MatchMethod
    $isMatched: Boolean
    $search: String
    $linkId: ID
    $cursor: String
  ) {
    installs(
      projectId: $projectId
      platform: $platform
      method: $method
      isMatched: $isMatched
      search: $search
      linkId: $linkId
      cursor: $cursor
      limit: 50
    ) {
      data {
        id
        installId
        platform
        appVersion
        osVersion
        firstOpenedAt
        match {
          matched
          guaranteed
          method
          confidence
        }
        matchRevisedAt
        linkId
        link {
          id
          shortUrl
        }
      }
      nextCursor
    }
  }
`);

/** The installs of the project's apps, each with the link that it came from. */
export function InstallsPage() {
  const projectId = useProjectId();
  const search = useSearch({ from: '/shell/apps/installs' });
  const navigate = useNavigate({ from: '/apps/installs' });
  const variables = { projectId, ...variablesOf(search) };
  const query = usePages({
    about: 'apps',
    document: INSTALLS,
    variables,
    pageOf: (data) => data.installs,
  });
  const onFilter = (changed: InstallSearch) =>
    void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true, resetScroll: false });
  const { installs, setup } = t.apps;
  return (
    <Page
      title={installs.title}
      about={installs.about}
      back="/apps"
      actions={<Link to="/apps/simulator">{t.apps.simulator}</Link>}
    >
      {query.isSuccess && query.rows.length === 0 && !isFiltered(search) ? null : (
        <Card>
          <InstallFilters search={search} variables={variables} onFilter={onFilter} />
        </Card>
      )}
      <Card isFlush>
        <RecordTable
          label={installs.title}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<NoInstalls isFiltered={isFiltered(search)} onClear={() => onFilter(NO_FILTERS)} />}
          columns={[
            {
              title: installs.install,
              isWords: true,
              cell: ({ id, installId }) => (
                <Link to="/apps/installs/$installId" params={{ installId: id }}>
                  <code>{shownId(installId)}</code>
                </Link>
              ),
            },
            { title: installs.at, cell: ({ firstOpenedAt }) => <Time at={firstOpenedAt} /> },
            {
              title: installs.platform,
              isWords: true,
              cell: ({ platform, osVersion }) =>
                osVersion ? installs.system(setup.platforms[platform], osVersion) : setup.platforms[platform],
            },
            { title: installs.app, cell: ({ appVersion }) => appVersion ?? t.common.unknown },
            {
              title: installs.match,
              cell: ({ match, matchRevisedAt }) => (
                <Group gap={4}>
                  <MatchChip match={match} />
                  {matchRevisedAt ? <Chip tone="warn">{t.apps.takenBack}</Chip> : null}
                </Group>
              ),
            },
            {
              title: installs.method,
              isWords: true,
              cell: ({ match }) => (match.matched ? t.link.installs.methods[match.method] : t.common.none),
            },
            { title: installs.link, cell: (install) => <InstallLink install={install} /> },
          ]}
        />
      </Card>
    </Page>
  );
}

function NoInstalls({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { installs, none } = t.apps;
  if (!isFiltered) {
    return <EmptyState title={installs.empty} body={installs.emptyBody} actions={<Link to="/api">{none.sdk}</Link>} />;
  }
  return (
    <EmptyState
      title={installs.nothingFound}
      actions={
        <Button variant="default" onClick={onClear}>
          {installs.clear}
        </Button>
      }
    />
  );
}
