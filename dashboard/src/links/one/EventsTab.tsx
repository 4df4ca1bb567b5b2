import { graphql } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Code } from '../../ui/Code.tsx';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneLink } from './LinkPage.tsx';

const EVENTS = graphql(`
  query EventsOfLink($projectId: ID!, $linkId: ID!, $cursor: String) {
    events(projectId: $projectId, linkId: $linkId, limit: 25, cursor: $cursor) {
      data {
        id
        type
        createdAt
        data
      }
      nextCursor
    }
  }
`);

/** What webhooks were told of the link. */
export function EventsTab({ link }: { link: OneLink }) {
  const { events } = t.link;
  const query = usePages({
    about: 'events',
    document: EVENTS,
    variables: { projectId: link.projectId, linkId: link.id },
    pageOf: (data) => data.events,
  });
  return (
    <Card isFlush>
      <RecordTable
        label={t.link.tabs.events}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={events.empty} />}
        columns={[
          { title: t.link.clicks.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t.shell.pages.events, cell: ({ type }) => <code>{type}</code> },
          {
            title: events.payload,
            cell: ({ data }) => (
              <details>
                <summary>{events.show}</summary>
                <Code text={JSON.stringify(data)} what={events.payload} language="json" />
              </details>
            ),
          },
        ]}
      />
    </Card>
  );
}
