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
  /** Through what it acts, if not by calls of the API itself. The audit log tells it. */
  via?: Via;
}

/** A tool that an assistant called; `client` is what its program calls itself. */
export interface Via {
  surface: 'mcp';
  tool: string;
  client: string | null;
}

/** A signed-in person acts with their role in each of their teams. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  tokenHash: string;
  roles: ReadonlyMap<string, Role>;
  /** The role in each of their deleted teams, which they can only restore. */
  deletedRoles: ReadonlyMap<string, Role>;
  /** Their e-mail address is not confirmed: confirming it is all they may do. */
  isPending: boolean;
  /** Their account is deleted: restoring it is all they may do. */
  isDeleted: boolean;
}

/** A request without key or session, which may sign in or up. */
export interface Nobody {
  kind: 'nobody';
}

/** Who makes a request. */
export type Principal = KeyPrincipal | SessionPrincipal | Nobody;

export const NOBODY: Nobody = { kind: 'nobody' };

/** A person as the author of a change that was not made in a session of theirs: a sign-up, or a link from a mail. */
export function personPrincipal(userId: string): SessionPrincipal {
  const nothing = { roles: new Map(), deletedRoles: new Map(), isPending: false, isDeleted: false };
  return { kind: 'session', userId, tokenHash: '', ...nothing };
}
