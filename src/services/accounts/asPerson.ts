import type { SessionPrincipal } from '../../access/principal.ts';

/** A person as the one who did something, where it is not their session that says so. */
export function asPerson(userId: string): SessionPrincipal {
  return { kind: 'session', userId, tokenHash: '', roles: new Map(), isPending: false };
}
