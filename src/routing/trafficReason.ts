export type TrafficClass = 'human' | 'bot' | 'scanner' | 'prefetch';

/** Why a click does not count as a person's, and the class that follows. A click without a reason is `human`. */
export const TRAFFIC_REASONS = {
  head: 'bot',
  'no agent': 'bot',
  agent: 'bot',
  'sec-purpose': 'prefetch',
  'scanner agent': 'scanner',
  // The last two need more than one request's headers: whoever knows networks and bursts gives them.
  'scanner network': 'scanner',
  burst: 'scanner',
} as const satisfies Record<string, TrafficClass>;

export type TrafficReason = keyof typeof TRAFFIC_REASONS;

/** The header fields that tell a request made ahead of a person's wish. */
export interface PurposeHeaders {
  secPurpose?: string | undefined;
  purpose?: string | undefined;
  xMoz?: string | undefined;
}

/** The class that follows from a reason; `human` without one. */
export function trafficClass(reason: TrafficReason | null): TrafficClass {
  return reason === null ? 'human' : TRAFFIC_REASONS[reason];
}

/** The first reason that holds: method, then purpose, then the agent's own (already known for its text). */
export function trafficReason(
  method: string,
  headers: PurposeHeaders,
  agentReason: TrafficReason | null,
): TrafficReason | null {
  if (method === 'HEAD') return 'head';
  if (isAhead(headers.secPurpose) || isAhead(headers.purpose) || isAhead(headers.xMoz)) return 'sec-purpose';
  return agentReason;
}

/** `prefetch`, `prefetch;prerender` (Chrome, Edge, Firefox) or `preview` (Safari's top sites). */
function isAhead(purpose: string | undefined): boolean {
  return purpose !== undefined && /^\s*(?:prefetch|prerender|preview)\b/i.test(purpose);
}
