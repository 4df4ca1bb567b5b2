import { graphql, type ResultOf } from '../../kernel/graphql.ts';

/** What a webhook is, whose events it gets, and whether it gets them. */
export const WEBHOOK_SUMMARY = graphql(`
  fragment WebhookSummary on Webhook {
    id
    url
    description
    managedBy
    eventTypes
    includeBots
    batch {
      maxEvents
      maxWaitSeconds
    }
    maxInFlight
    projectId
    teamId
    status
    circuit
    disabledReason
    consecutiveFailures
    circuitOpenedAt
    nextProbeAt
    disabledAt
    scope {
      projectId
      linkId
      tagId
    }
    link {
      id
      shortUrl
    }
    tag {
      id
      name
    }
  }
`);

/** How its deliveries went lately. */
export const WEBHOOK_FIGURES = graphql(`
  fragment WebhookFigures on Webhook {
    stats {
      succeeded
      failed
      pending
      lastDeliveryAt
      lastSuccessAt
      buckets {
        start
        succeeded
        failed
      }
    }
  }
`);

export type WebhookStats = ResultOf<typeof WEBHOOK_FIGURES>['stats'];
export type WebhookSummary = ResultOf<typeof WEBHOOK_SUMMARY>;
export type WebhookState = 'on' | 'held' | 'off';

/** On, held back while the receiver fails, or off. */
export function stateOf({ status, circuit }: Pick<WebhookSummary, 'status' | 'circuit'>): WebhookState {
  if (status === 'disabled') return 'off';
  return circuit === 'open' ? 'held' : 'on';
}

/** Whether it gets every type of events, those included that do not exist yet. */
export function getsAll(eventTypes: readonly string[]): boolean {
  return eventTypes.includes('*');
}
