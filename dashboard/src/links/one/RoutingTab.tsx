import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { formatShare } from '../../kernel/numbers.ts';
import { useAsk } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { unknownConditions } from '../builder/conditionRows.ts';
import { routingPart } from '../builder/routing.ts';
import { sharesOf } from '../builder/routingEdits.ts';
import { TraceView } from '../trace/TraceView.tsx';
import { VisitorChooser } from '../trace/VisitorChooser.tsx';
import { PRESETS, type Visitor } from '../trace/visitor.ts';
import styles from './LinkPage.module.css';
import type { OneLink } from './LinkPage.tsx';
import { sentenceOf } from './ruleSentence.ts';

const TRACE_LINK = graphql(`
  query TraceLink(
    $id: ID!
    $platform: VisitorPlatform
    $device: VisitorDevice
    $country: String
    $language: String
    $referrerHost: String
    $query: String
    $at: DateTimeISO
  ) {
    traceLink(
      id: $id
      platform: $platform
      device: $device
      country: $country
      language: $language
      referrerHost: $referrerHost
      query: $query
      at: $at
    ) {
      steps {
        rule
        matched
        why
      }
      outcome {
        kind
        destination
      }
    }
  }
`);

/** Where a chosen visitor is sent and why, and the rules as sentences. */
export function RoutingTab({ link }: { link: OneLink }) {
  const [visitor, setVisitor] = useState<Visitor>(PRESETS.iphone);
  const { data, error, refetch } = useAsk({
    about: 'links',
    document: TRACE_LINK,
    variables: { id: link.id, ...visitor },
  });
  return (
    <div className={styles.columns}>
      <Card title={t.link.tabs.routing}>
        <VisitorChooser visitor={visitor} onChange={setVisitor} />
        {data ? (
          <TraceView trace={data.traceLink} />
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          <LoadingRows />
        )}
      </Card>
      <Card title={t.link.rules.title}>
        <Rules link={link} />
      </Card>
    </div>
  );
}

function Rules({ link }: { link: OneLink }) {
  const routing = routingPart.read(link.routingJson);
  const shares = sharesOf(routing.split);
  const { rules } = t.link;
  if (routing.rules.length === 0 && routing.split.length === 0) return <p>{rules.none}</p>;
  return (
    <ol className={styles.rules}>
      {routing.rules.map(({ id, when, destination }) => (
        <li key={id}>
          {rules.sentence(
            [...when.conditions.map(sentenceOf), ...unknownConditions(when)].join(rules.and),
            destination,
          )}
        </li>
      ))}
      {routing.split.map(({ id, destination }, index) => (
        <li key={id}>{rules.split(formatShare(shares[index] ?? 0), destination)}</li>
      ))}
      {routing.split.length === 0 ? <li>{rules.everybody(link.destination)}</li> : null}
    </ol>
  );
}
