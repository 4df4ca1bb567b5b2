import type { KeyPrincipal, Principal } from '../../access/principal.ts';
import { CodedError } from '../../kernel/errors.ts';

/** Apps alone, with a publishable key of their project. Throws `missing_key` for everybody else. */
export function requireApp(principal: Principal): KeyPrincipal {
  if (principal.kind === 'key' && principal.keyKind === 'publishable') return principal;
  throw new CodedError('missing_key', 'This is for apps: it needs a publishable key (pk_live_…).');
}
