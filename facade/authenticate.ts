import type { IncomingMessage } from 'node:http';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { verifyKey } from '../src/access/verifyKey.ts';
import { CodedError } from '../src/kernel/errors.ts';

/** Whom a request's key stands for, and why it is not good for the REST API: a publishable key is known and refused. */
export interface Bearer {
  principal: KeyPrincipal | null;
  refusal: CodedError | null;
}

/** Reads the bearer key of a REST request. `refusal`: `missing_key`, `invalid_key`, `publishable_key_refused`. */
export async function authenticate(request: IncomingMessage): Promise<Bearer> {
  const [, key] = /^bearer +(\S.*)$/i.exec(request.headers.authorization?.trim() ?? '') ?? [];
  if (!key) return refused(new CodedError('missing_key', 'Send a secret key: Authorization: Bearer sk_live_…'));
  try {
    const principal = await verifyKey(key);
    if (principal.keyKind === 'secret') return { principal, refusal: null };
    const message = 'A publishable key is for apps; the REST API needs a secret key.';
    return refused(new CodedError('publishable_key_refused', message), principal);
  } catch (error) {
    if (error instanceof CodedError) return refused(error);
    throw error;
  }
}

function refused(refusal: CodedError, principal: KeyPrincipal | null = null): Bearer {
  return { principal, refusal };
}
