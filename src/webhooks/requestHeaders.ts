/** What the headers of a request tell of its delivery. */
export interface Addressed {
  id: string;
  eventId: string;
  eventType: string;
}

/**
 * The headers of one attempt, also of those that were made long ago: of an attempt its number and signature alone are
 * stored. Whoever changes what else is sent sees to it that earlier attempts go on being shown as they were.
 */
export function requestHeaders({ id, eventId, eventType }: Addressed, attempt: number, signature: string) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
    // The text of the answer is stored, so it must not come compressed.
    'Accept-Encoding': 'identity',
    'SVC-Signature': signature,
    'SVC-Event-Id': eventId,
    'SVC-Event-Type': eventType,
    'SVC-Delivery-Id': id,
    'SVC-Attempt': String(attempt),
  };
}
