/** What is known of a webhook's receiver, and what follows from it for what is sent. */
export interface Health {
  status: 'enabled' | 'disabled';
  /** Why it is disabled: by hand, after too many failures in a row, or because the receiver said that it is gone. */
  disabledReason: 'manual' | 'failures' | 'gone' | null;
  circuit: 'closed' | 'open';
  /** Counted failures since the last success. */
  consecutiveFailures: number;
  /** Pause before the next probe of an open circuit; 0 while it is closed. */
  probePauseSeconds: number;
  /** When the next probe may go out; null while the circuit is closed. */
  nextProbeAt: Date | null;
}

/** What a webhook starts with, and starts again with when it is enabled or gets another URL. */
export const HEALTHY = { circuit: 'closed', consecutiveFailures: 0, probePauseSeconds: 0, nextProbeAt: null } as const;

export interface JudgedAttempt {
  result: 'success' | 'failure' | 'our_fault';
  /** Tests and manual resends do not count as failures. */
  counts: boolean;
  /** The receiver answered 410: it wants nothing more, ever. */
  isGone: boolean;
  isProbe: boolean;
}

export interface BreakerOptions {
  /** Failures in a row that open the circuit; 0: none do. */
  circuitAfter: number;
  probeSeconds: number;
  probeMaxSeconds: number;
  /** Failures in a row that switch the webhook off; 0: none do, but for 410. */
  disableAfter: number;
  nowMs: number;
}

/** The health after one more attempt; the same object when nothing changed. One that is switched off stays as it is. */
export function afterAttempt(health: Health, attempt: JudgedAttempt, options: BreakerOptions): Health {
  if (health.status === 'disabled') return health;
  if (attempt.result === 'success') return isHealthy(health) ? health : { ...health, ...HEALTHY };
  const probed = attempt.isProbe && health.circuit === 'open' ? afterProbe(health, attempt, options) : health;
  if (attempt.result === 'our_fault' || !attempt.counts) return probed;
  const counted = opened({ ...probed, consecutiveFailures: probed.consecutiveFailures + 1 }, options);
  if (attempt.isGone) return { ...counted, status: 'disabled', disabledReason: 'gone' };
  return switchedOff(counted, options);
}

/** How many deliveries may go out beside those that somebody sent by hand: all, one as a probe, or none. */
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

/** A fault of ours says nothing of the receiver, so the pause stays as long as it was. */
function afterProbe(health: Health, { result }: JudgedAttempt, { probeMaxSeconds, nowMs }: BreakerOptions): Health {
  const pause = result === 'our_fault' ? health.probePauseSeconds : health.probePauseSeconds * 2;
  const probePauseSeconds = Math.min(pause, probeMaxSeconds);
  return { ...health, probePauseSeconds, nextProbeAt: new Date(nowMs + probePauseSeconds * 1000) };
}

function opened(health: Health, { circuitAfter, probeSeconds, probeMaxSeconds, nowMs }: BreakerOptions): Health {
  const opens = circuitAfter > 0 && health.circuit === 'closed' && health.consecutiveFailures >= circuitAfter;
  if (!opens) return health;
  const probePauseSeconds = Math.min(probeSeconds, probeMaxSeconds);
  return { ...health, circuit: 'open', probePauseSeconds, nextProbeAt: new Date(nowMs + probePauseSeconds * 1000) };
}

function switchedOff(health: Health, { disableAfter }: BreakerOptions): Health {
  const ends = disableAfter > 0 && health.consecutiveFailures >= disableAfter;
  return ends ? { ...health, status: 'disabled', disabledReason: 'failures' } : health;
}
