import type { Moment, Outcome } from './afterAttempt.ts';

export interface ModelSettings {
  gaps: readonly number[];
  circuitAfter: number;
  disableAfter: number;
}

export interface ModelEvent {
  id: string;
  at: number;
  /** The webhook that is not told of it, since it is about that. */
  except: string | null;
  isTest: boolean;
  isFannedOut: boolean;
}

export interface ModelDelivery {
  id: string;
  webhook: ModelWebhook;
  event: ModelEvent;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** Every attempt that was written down. */
  log: { manual: boolean; outcome: Outcome; at: number }[];
  resends: number;
  queue: 0 | 1 | 2;
  nextAt: Moment | null;
  dueAt: Moment | null;
  claim: ModelClaim | null;
}

/** A delivery in the hand of a lane; whoever holds another claim than that of the delivery comes too late. */
export interface ModelClaim {
  delivery: ModelDelivery;
  manual: boolean;
  isProbe: boolean;
  isHeld: boolean;
  generation: number;
}

export interface ModelWebhook {
  id: string;
  status: 'enabled' | 'disabled';
  isDeleted: boolean;
  disabledAt: number | null;
  /** How often its failures, or a 410, have switched it off. */
  switchedOff: number;
  reason: 'failures' | 'gone' | 'manual' | null;
  circuit: 'closed' | 'open';
  failures: number;
  pause: number;
  nextProbeAt: number | null;
  /** Newest first. */
  secrets: { secret: string; until: number }[];
  everySecret: string[];
  lane: { word: string; until: number } | null;
  generation: number;
}

export interface ModelTurn {
  word: string;
  finished: { claim: ModelClaim; outcome: Outcome; at: number }[];
  returned: ModelClaim[];
  wanted: number;
  heldInFlight: number;
  release: 'no' | 'when_idle' | 'now';
}
