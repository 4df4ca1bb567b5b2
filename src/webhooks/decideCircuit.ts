/** The health of a webhook's receiver; decides what may be sent to it. */
export interface Health {
  status: 'enabled' | 'disabled';
  /** Disabled by hand, after too many failures in a row, or because the receiver answered 410 (gone). */
  disabledReason: 'manual' | 'failures' | 'gone' | null;
  circuit: 'closed' | 'open';
  /** Counted failures since the last success. */
  consecutiveFailures: number;
  /** Pause before the next probe while the circuit is open; 0 while it is closed. */
  probePauseSeconds: number;
  /** When the next probe may go out; null while the circuit is closed. */
  nextProbeAt: Date | null;
  /** Null while the circuit is closed. */
  circuitOpenedAt: Date | null;
}

/** The state of a new webhook, and of one that was enabled again or got another URL. */
export const HEALTHY = {
  circuit: 'closed',
  consecutiveFailures: 0,
  probePauseSeconds: 0,
  nextProbeAt: null,
  circuitOpenedAt: null,
} as const;

export interface ClassifiedAttempt {
  result: 'success' | 'failure' | 'our_fault';
  /** False for tests and manual resends: their failures do not count. */
  counts: boolean;
  /** The receiver answered 410: it will never accept requests again. */
  isGone: boolean;
  isProbe: boolean;
}

export interface BreakerOptions {
  /** Failures in a row that open the circuit; 0 for never. */
  circuitAfter: number;
  probeSeconds: number;
  probeMaxSeconds: number;
  /** Failures in a row that disable the webhook; 0 for never. A 410 always disables it. */
  disableAfter: number;
  nowMs: number;
}

/** The health after one more attempt; the same object when nothing changed. A disabled webhook stays disabled. */
export function afterAttempt(health: Health, attempt: ClassifiedAttempt, options: BreakerOptions): Health {
  if (health.status === 'disabled') return health;
  if (attempt.result === 'success') return isHealthy(health) ? health : { ...health, ...HEALTHY };
  const probed = attempt.isProbe && health.circuit === 'open' ? afterProbe(health, attempt, options) : health;
  if (attempt.result === 'our_fault' || !attempt.counts) return probed;
  const counted = opened({ ...probed, consecutiveFailures: probed.consecutiveFailures + 1 }, options);
  if (attempt.isGone) return { ...counted, status: 'disabled', disabledReason: 'gone' };
  return disabledAfter(counted, options);
}

/** Which scheduled deliveries may be sent: all, one as a probe, or none. Manual resends are always sent. */
export function mayGo(
  health: Health,
  { nowMs, inFlight }: { nowMs: number; inFlight: number },
): 'all' | 'probe' | 'none' {
  if (health.status === 'disabled') return 'none';
  if (health.circuit === 'closed') return 'all';
  return inFlight === 0 && (health.nextProbeAt?.getTime() ?? 0) <= nowMs ? 'probe' : 'none';
}

function isHealthy({ circuit, consecutiveFailures }: Health): boolean {
  return circuit === 'closed' && consecutiveFailures === 0;
}

/** Doubles the pause after a failed probe. A fault of ours says nothing about the receiver and keeps the pause. */
function afterProbe(health: Health, { result }: ClassifiedAttempt, { probeMaxSeconds, nowMs }: BreakerOptions): Health {
  const pause = result === 'our_fault' ? health.probePauseSeconds : health.probePauseSeconds * 2;
  const probePauseSeconds = Math.min(pause, probeMaxSeconds);
  return { ...health, probePauseSeconds, nextProbeAt: new Date(nowMs + probePauseSeconds * 1000) };
}

function opened(health: Health, { circuitAfter, probeSeconds, probeMaxSeconds, nowMs }: BreakerOptions): Health {
  const opens = circuitAfter > 0 && health.circuit === 'closed' && health.consecutiveFailures >= circuitAfter;
  if (!opens) return health;
  const probePauseSeconds = Math.min(probeSeconds, probeMaxSeconds);
  const nextProbeAt = new Date(nowMs + probePauseSeconds * 1000);
  return { ...health, circuit: 'open', probePauseSeconds, nextProbeAt, circuitOpenedAt: new Date(nowMs) };
}

function disabledAfter(health: Health, { disableAfter }: BreakerOptions): Health {
  const ends = disableAfter > 0 && health.consecutiveFailures >= disableAfter;
  return ends ? { ...health, status: 'disabled', disabledReason: 'failures' } : health;
}
