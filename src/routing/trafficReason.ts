export type TrafficClass = 'human' | 'bot' | 'scanner' | 'prefetch';

interface ReasonRow {
  class: TrafficClass;
  /** What is looked at. */
  found: string;
}

/** Why a click does not count as a person's, in the order of asking: the first that holds is noted. */
export const TRAFFIC_REASONS = {
  head: { class: 'bot', found: 'The method is HEAD.' },
  'sec-purpose': {
    class: 'prefetch',
    found: 'Sec-Purpose, Purpose, X-Purpose or X-Moz says prefetch, prerender or preview.',
  },
  'no agent': { class: 'bot', found: 'There is no User-Agent.' },
  'preview agent': {
    class: 'bot',
    found: 'A messenger or social network fetches the preview of a link (agentReason).',
  },
  'scanner agent': { class: 'scanner', found: 'A mail gateway or Office gives its name (agentReason).' },
  agent: { class: 'bot', found: 'The User-Agent is a crawler’s or a program’s (isbot).' },
  'scanner network': { class: 'scanner', found: 'The address lies in SCANNER_NETWORKS.' },
  burst: {
    class: 'scanner',
    found: 'One address follows many links of a team at once (clicks/bursts); found afterwards.',
  },
} as const satisfies Record<string, ReasonRow>;

export type TrafficReason = keyof typeof TRAFFIC_REASONS;

/** The header fields that tell a request made ahead of a person's wish. */
export interface PurposeHeaders {
  secPurpose?: string | undefined;
  purpose?: string | undefined;
  xPurpose?: string | undefined;
  xMoz?: string | undefined;
}

/** The class that follows from a reason; `human` without one. */
export function trafficClass(reason: TrafficReason | null): TrafficClass {
  return reason === null ? 'human' : TRAFFIC_REASONS[reason].class;
}

/** The first reason that holds: method, then purpose, then the agent's own (already known for its text). */
export function trafficReason(
  method: string,
  headers: PurposeHeaders,
  agentReason: TrafficReason | null,
): TrafficReason | null {
  if (method === 'HEAD') return 'head';
  const { secPurpose, purpose, xPurpose, xMoz } = headers;
  if (isAhead(secPurpose) || isAhead(purpose) || isAhead(xPurpose) || isAhead(xMoz)) return 'sec-purpose';
  return agentReason;
}

/** `prefetch`, `prefetch;prerender` (Chrome, Edge, Firefox) or `preview` (Safari's top sites, apps of Facebook). */
function isAhead(purpose: string | undefined): boolean {
  return purpose !== undefined && /^\s*(?:prefetch|prerender|preview)\b/i.test(purpose);
}
