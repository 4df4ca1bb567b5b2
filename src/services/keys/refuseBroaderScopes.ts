import type { Principal } from '../../access/principal.ts';
import type { Scope } from '../../access/scopes.ts';
import { CodedError } from '../../kernel/errors.ts';

/** A key never gets hold of scopes that it lacks by making another one: throws `insufficient_scope` naming the first. */
export function refuseBroaderScopes(principal: Principal, scopes: readonly Scope[]): void {
  if (principal.kind !== 'key') return;
  const lacking = scopes.find((scope) => !principal.scopes.has(scope));
  if (!lacking) return;
  throw new CodedError('insufficient_scope', `A key cannot make one with the scope ${lacking}, which it lacks.`);
}
