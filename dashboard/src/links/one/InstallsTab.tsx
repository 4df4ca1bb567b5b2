import { graphql } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneLink } from './LinkPage.tsx';

const INSTALLS = graphql(`
  query InstallsOfLink($projectId: ID!, $linkId: ID!, $cursor: String) {
    installs(projectId: $projectId, linkId: $linkId, limit: 25, cursor: $cursor) {
      data {
        id
        platform
        firstOpenedAt
        match {
          method
          confidence
          guaranteed
        }
      }
      nextCursor
    }
  }
`);

export function InstallsTab({ link }: { link: OneLink }) {
  const { installs } = t.link;
  const query = usePages({
    about: 'apps',
    document: INSTALLS,
    variables: { projectId: link.projectId, linkId: link.id },
    pageOf: (data) => data.installs,
  });
  return (
    <Card isFlush>
      <RecordTable
        label={t.link.tabs.installs}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={installs.empty} body={installs.about} />}
        columns={[
          { title: installs.at, cell: ({ firstOpenedAt }) => <Time at={firstOpenedAt} /> },
          {
            title: installs.platform,
            cell: ({ platform }) => t.states.platforms[platform === 'web' ? 'other' : platform],
          },
          { title: installs.method, cell: ({ match }) => installs.methods[match.method] },
          {
            title: installs.confidence,
            cell: ({ match }) => (match.guaranteed ? installs.certain : installs.likely(match.confidence)),
          },
        ]}
      />
    </Card>
  );
}
