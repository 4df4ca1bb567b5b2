import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { formatExactTime } from '../../kernel/times.ts';
import { useTeam } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';

const LAST_ENTRY = graphql(`
  query LastEntryOfLink($teamId: ID!, $linkId: ID!) {
    auditLog(teamId: $teamId, subjectId: $linkId, limit: 1) {
      data {
        action
        createdAt
        subjectName
        actor {
          name
        }
      }
    }
  }
`);

/** Instead of the page of a link that is not there: what is known of it, and what remains. */
export function DeletedLink({ linkId, error }: { linkId: string; error: unknown }) {
  const team = useTeam();
  const { data, error: failure } = useAsk({
    about: 'audit',
    document: LAST_ENTRY,
    variables: { teamId: team?.id ?? '', linkId },
    isEnabled: team !== null,
  });
  const { deleted } = t.link;
  const entry = data?.auditLog.data[0];
  if (team !== null && !data && !failure) return <LoadingRows />;
  if (entry?.action !== 'link.deleted') return <ErrorState error={error} />;
  return (
    <Card>
      <EmptyState
        title={deleted.title(entry.subjectName)}
        body={
          <>
            <p>{deleted.when(formatExactTime(entry.createdAt), entry.actor.name)}</p>
            <p>{deleted.remains}</p>
          </>
        }
        actions={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/analytics" search={{ link: linkId }} {...props} />}
          >
            {deleted.analytics}
          </Button>
        }
      />
    </Card>
  );
}
