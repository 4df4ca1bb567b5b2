import type { Role } from '../models/Membership.ts';
import type { Scope } from './scopes.ts';

/** A key acts inside its project with its scopes. */
export interface KeyPrincipal {
  kind: 'key';
  keyId: string;
  keyKind: 'secret' | 'publishable';
  projectId: string;
  teamId: string;
  scopes: ReadonlySet<Scope>;
}

/** A signed-in person acts with their role in each of their teams. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  tokenHash: string;
  roles: ReadonlyMap<string, Role>;
  /** Their e-mail is not confirmed: they may do nothing but that. */
  isPending: boolean;
}

/** Nobody has shown who they are: good for signing in. */
export interface Nobody {
  kind: 'nobody';
}

/** Who is asking. */
export type Principal = KeyPrincipal | SessionPrincipal | Nobody;

export const NOBODY: Nobody = { kind: 'nobody' };
