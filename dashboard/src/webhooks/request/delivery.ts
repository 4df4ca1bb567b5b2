import { graphql, type JsonObject, type ResultOf } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';

export const ATTEMPT = graphql(`
  fragment AttemptDetails on Attempt {
    number
    at
    manual
    durationMs
    error
    statusCode
    url
    requestHeaders
    responseHeaders
    responseBody
  }
`);

const DELIVERY = graphql(
  `
    query DeliveryDetails($id: ID!) {
      delivery(id: $id) {
        id
        webhookId
        eventId
        eventType
        eventCount
        status
        test
        createdAt
        nextAttemptAt
        attemptCount
        requestBody
        event {
          link {
            id
            shortUrl
          }
        }
        attempts {
          ...AttemptDetails
        }
      }
    }
  `,
  [ATTEMPT],
);

export type Attempt = ResultOf<typeof ATTEMPT>;
export type Delivery = ResultOf<typeof DELIVERY>['delivery'];

/** While an answer is expected any moment: it should be there within three seconds. */
const EXPECTED_MS = 1_000;
const PENDING_MS = 3_000;

/** A delivery with its attempts, asked again while it is under way, and soon while there are fewer than `expected` attempts. */
export function useDelivery(id: string, expected = 0) {
  return useAsk({
    about: 'deliveries',
    document: DELIVERY,
    variables: { id },
    keepsEarlier: false,
    pollMs: (data) => {
      if (!data) return false;
      if (data.delivery.attemptCount < expected) return EXPECTED_MS;
      return data.delivery.status === 'pending' ? PENDING_MS : false;
    },
  });
}

/** Headers as texts: what receivers answer may be of any form. */
export function headersOf(headers: JsonObject | null): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

/** The value of a header, whatever the case of its name. */
export function headerOf(headers: Readonly<Record<string, string>>, name: string): string | null {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return found?.[1] ?? null;
}

/** The type of its event; of a batch, with the number of its events. */
export function typeOf({ eventType, eventCount }: Pick<Delivery, 'eventType' | 'eventCount'>): string {
  return eventType === 'batch' ? `${eventType} (${eventCount})` : eventType;
}
