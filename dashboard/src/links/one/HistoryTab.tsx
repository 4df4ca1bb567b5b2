import { graphql, type Json, type JsonObject } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { useTeam } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './LinkPage.module.css';
import type { OneLink } from './LinkPage.tsx';

const HISTORY = graphql(`
  query HistoryOfLink($teamId: ID!, $linkId: ID!, $cursor: String) {
    auditLog(teamId: $teamId, subjectId: $linkId, limit: 25, cursor: $cursor) {
      data {
        id
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
            cell: ({ about, actor }) => (
              <>
                <span lang="en">{about}</span>
                <br />
                {actor.name ? `${history.by} ${actor.name}` : null}
              </>
            ),
          },
          { title: history.changes, cell: ({ details }) => <Changes details={details as JsonObject} /> },
        ]}
      />
    </Card>
  );
}

function Changes({ details }: { details: JsonObject }) {
  const changes = Object.entries((details.changes ?? {}) as Record<string, { from: Json; to: Json }>);
  return (
    <dl className={styles.changes}>
      {changes.map(([field, { from, to }]) => (
        <div key={field} className={styles.change}>
          <dt>
            <code>{field}</code>
          </dt>
          <dd>
            <del>{textOf(from)}</del> → <ins>{textOf(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(value: Json): string {
  if (value === null || value === '') return t.link.history.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
