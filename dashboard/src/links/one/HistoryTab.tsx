import { graphql, type JsonObject } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { useTeam } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Changes } from '../../ui/Changes.tsx';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { Said, textOf } from '../../ui/Said.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneLink } from './LinkPage.tsx';

const HISTORY = graphql(`
  query HistoryOfLink($teamId: ID!, $linkId: ID!, $cursor: String) {
    auditLog(teamId: $teamId, subjectId: $linkId, limit: 25, cursor: $cursor) {
      data {
        id
        action
        about
        createdAt
        actor {
          kind
          name
        }
        details
      }
      nextCursor
    }
  }
`);

/** Who changed what of the link. */
export function HistoryTab({ link }: { link: OneLink }) {
  const team = useTeam();
  const { history } = t.link;
  const query = usePages({
    about: 'audit',
    document: HISTORY,
    variables: { teamId: team?.id ?? '', linkId: link.id },
    pageOf: (data) => data.auditLog,
  });
  return (
    <Card isFlush>
      <RecordTable
        label={t.link.tabs.history}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={history.empty} />}
        columns={[
          { title: t.link.clicks.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: t.link.tabs.history,
            cell: ({ action, about, actor }) => (
              <>
                <Said text={textOf(t.audit.actions, action)} english={about} />
                <br />
                {actor.name ? `${history.by} ${actor.name}` : null}
              </>
            ),
          },
          {
            title: history.changes,
            cell: ({ details }) => <Changes details={details as JsonObject} nothing={history.nothing} />,
          },
        ]}
      />
    </Card>
  );
}
