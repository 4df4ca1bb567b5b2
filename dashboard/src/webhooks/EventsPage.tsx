import { Select, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { withoutScheme } from '../kernel/addresses.ts';
import { graphql } from '../kernel/graphql.ts';
import { usePages } from '../kernel/queries.ts';
import { useProjectId, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { EventDeliveries } from './EventDeliveries.tsx';
import styles from './one/one.module.css';
import { instantOf, localText } from './one/times.ts';

const EVENTS = graphql(`
  query Events(
    $projectId: ID!
    $type: String
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
    $cursor: String
  ) {
    events(
      projectId: $projectId
      type: $type
      createdAfter: $createdAfter
      createdBefore: $createdBefore
      cursor: $cursor
      limit: 25
    ) {
      data {
        id
        type
        createdAt
        data
        link {
          id
          shortUrl
        }
      }
      nextCursor
    }
  }
`);

const POLL_MS = 15_000;

/** What was raised in the project, newest first, with what each event was sent to. */
export function EventsPage() {
  const projectId = useProjectId();
  const search = useSearch({ from: '/shell/webhooks/events' });
  const navigate = useNavigate({ from: '/webhooks/events' });
  const variables = {
    type: search.type || null,
    createdAfter: instantOf(search.created_after),
    createdBefore: instantOf(search.created_before),
  };
  const query = usePages({
    about: 'events',
    document: EVENTS,
    variables: { projectId, ...variables },
    pageOf: (data) => data.events,
    pollMs: POLL_MS,
  });
  const isFiltered = Object.values(variables).some((value) => value !== null);
  const change = (changed: Record<string, string | undefined>) =>
    void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true, resetScroll: false });
  const { events, deliveries } = t.webhooks;
  return (
    <Page title={events.title} about={events.about} back="/webhooks">
      <Card>
        <Filters search={search} onChange={change} />
      </Card>
      <Card isFlush>
        <RecordTable
          label={events.title}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={isFiltered ? events.nothingFound : events.empty} />}
          columns={[
            { title: deliveries.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: events.type, cell: (one) => <code>{one.type}</code> },
            {
              title: deliveries.link,
              isName: true,
              cell: ({ link }) =>
                link ? (
                  <Link to="/links/$linkId" params={{ linkId: link.id }}>
                    {withoutScheme(link.shortUrl)}
                  </Link>
                ) : (
                  '–'
                ),
            },
            {
              title: events.details,
              cell: ({ id, data }) => (
                <details
                  open={search.open === id}
                  onToggle={({ currentTarget }) => {
                    if (currentTarget.open !== (search.open === id))
                      change({ open: currentTarget.open ? id : undefined });
                  }}
                >
                  <summary>{events.show}</summary>
                  {search.open === id ? (
                    <>
                      <p>
                        <code>{id}</code> <CopyButton text={id} what={deliveries.event} />
                      </p>
                      <b>{events.deliveries}</b>
                      <EventDeliveries projectId={projectId} eventId={id} />
                      <Code text={JSON.stringify(data)} what={t.link.events.payload} language="json" />
                    </>
                  ) : null}
                </details>
              ),
            },
          ]}
        />
      </Card>
    </Page>
  );
}

interface FiltersProps {
  search: { type?: string; created_after?: string; created_before?: string };
  onChange: (changed: Record<string, string | undefined>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const { service } = useSession();
  const { events, deliveries } = t.webhooks;
  const timeOf = (text: string | undefined) => {
    const instant = instantOf(text);
    return instant ? localText(Date.parse(instant)) : '';
  };
  return (
    <div className={styles.filters}>
      <Select
        label={events.type}
        placeholder={deliveries.any}
        clearable
        searchable
        data={service.eventTypes.map(({ type }) => type)}
        value={search.type ?? null}
        onChange={(type) => onChange({ type: type ?? undefined })}
      />
      <TextInput
        type="datetime-local"
        label={deliveries.from}
        value={timeOf(search.created_after)}
        onChange={(event) => onChange({ created_after: instantOf(event.currentTarget.value) ?? undefined })}
      />
      <TextInput
        type="datetime-local"
        label={deliveries.to}
        value={timeOf(search.created_before)}
        onChange={(event) => onChange({ created_before: instantOf(event.currentTarget.value) ?? undefined })}
      />
    </div>
  );
}
