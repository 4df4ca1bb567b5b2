import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { useAsk } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import styles from './analytics.module.css';
import { ChoiceMenu } from './ChoiceMenu.tsx';
import { INTERVALS } from './query.ts';

const UNKNOWN_LINKS = graphql(`
  query UnknownLinks($projectId: ID!, $interval: String) {
    unknownLinks(projectId: $projectId, interval: $interval, limit: 100) {
      total
      data {
        domain
        slug
        count
        visitors
        lastAt
        linkId
      }
    }
  }
`);

const DEFAULT_INTERVAL = '30d';

/** Slugs that people tried and that are no links, each with the way to make it one. */
export function UnknownLinksPage() {
  const projectId = useProjectId();
  const navigate = useNavigate({ from: '/analytics/unknown-links' });
  const { interval: wanted } = useSearch({ from: '/shell/analytics/unknown-links' });
  const interval = INTERVALS.find((one) => one === wanted) ?? DEFAULT_INTERVAL;
  const query = useAsk({ about: 'analytics', document: UNKNOWN_LINKS, variables: { projectId, interval } });
  const { orphans, ranges } = t.analytics;
  const { total = 0, data: rows = [] } = query.data?.unknownLinks ?? {};
  const rest = total - rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Page
      title={orphans.title}
      about={orphans.about}
      back="/analytics"
      actions={
        <ChoiceMenu
          label={t.analytics.range}
          value={interval}
          choices={INTERVALS.map((value) => ({ value, name: ranges[value] }))}
          onChoose={(chosen) =>
            void navigate({ search: (earlier) => ({ ...earlier, interval: chosen }), replace: true })
          }
        />
      }
    >
      <Card isFlush>
        <RecordTable
          label={orphans.title}
          rows={rows}
          keyOf={({ domain, slug }) => `${domain}/${slug}`}
          query={query}
          empty={<EmptyState title={orphans.empty(ranges[interval])} body={orphans.emptyBody} />}
          columns={[
            { title: orphans.slug, cell: ({ slug }) => <code className={styles.slug}>/{slug}</code> },
            { title: orphans.domain, cell: ({ domain }) => domain },
            { title: orphans.count, isNumber: true, cell: ({ count }) => formatExact(count) },
            { title: orphans.people, isNumber: true, cell: ({ visitors }) => formatExact(visitors) },
            { title: orphans.last, cell: ({ lastAt }) => <Time at={lastAt} /> },
            {
              title: t.links.columns.menu,
              cell: ({ slug, domain, linkId }) =>
                linkId === null ? (
                  <GuardedButton
                    scope="links:write"
                    size="compact-sm"
                    variant="light"
                    aria-label={orphans.createThis(`${domain}/${slug}`)}
                    onClick={() => void navigate({ to: '/links/new', search: { slug, domain } })}
                  >
                    {orphans.create}
                  </GuardedButton>
                ) : (
                  <Link to="/links/$linkId" params={{ linkId }}>
                    {orphans.exists}
                  </Link>
                ),
            },
          ]}
        />
      </Card>
      {rest > 0 ? <p className={styles.soft}>{orphans.rest(formatExact(rest))}</p> : null}
    </Page>
  );
}
