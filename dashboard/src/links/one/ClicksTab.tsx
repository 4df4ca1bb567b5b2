import { countryName } from '../../kernel/countries.ts';
import { graphql } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { Chip } from '../../ui/StateChip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneLink } from './LinkPage.tsx';

const CLICKS = graphql(`
  query ClicksOfLink($projectId: ID!, $linkId: ID!, $cursor: String) {
    clicks(projectId: $projectId, link: $linkId, limit: 50, cursor: $cursor) {
      data {
        id
        occurredAt
        country
        city
        platform
        device
        browser
        referrerHost
        trafficClass
        reason
        visitor
      }
      nextCursor
    }
  }
`);

/** Single clicks, and why one is not counted as a person's. */
export function ClicksTab({ link }: { link: OneLink }) {
  const { clicks } = t.link;
  const query = usePages({
    about: 'clicks',
    document: CLICKS,
    variables: { projectId: link.projectId, linkId: link.id },
    pageOf: (data) => data.clicks,
  });
  return (
    <Card isFlush>
      <RecordTable
        label={t.link.tabs.clicks}
        rows={query.rows}
        keyOf={({ id }) => id}
        query={query}
        empty={<EmptyState title={clicks.empty} />}
        columns={[
          { title: clicks.at, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
          {
            title: clicks.kind,
            cell: ({ trafficClass, reason, visitor }) => (
              <>
                <Chip tone={trafficClass === 'human' ? 'good' : 'soft'}>{clicks.classes[trafficClass]}</Chip>{' '}
                <span className="tabular">{reason ?? visitor}</span>
              </>
            ),
          },
          {
            title: clicks.place,
            isWords: true,
            cell: ({ country, city }) =>
              [city, country && countryName(country)].filter(Boolean).join(', ') || t.common.unknown,
          },
          {
            title: clicks.device,
            cell: ({ platform, device, browser }) =>
              [t.states.platforms[platform], t.states.devices[device], browser].filter(Boolean).join(' · '),
          },
          { title: clicks.referrer, cell: ({ referrerHost }) => referrerHost ?? '–' },
        ]}
      />
    </Card>
  );
}
