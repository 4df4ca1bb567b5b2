import type { IncomingMessage } from 'node:http';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { verifyKey } from '../src/access/verifyKey.ts';
import { CodedError } from '../src/kernel/errors.ts';
import type { Surface } from './surfaces.ts';

/** Whom a request's key stands for, and why it is not good here: a key of the other kind is known and refused. */
export interface Bearer {
  principal: KeyPrincipal | null;
  refusal: CodedError | null;
}

/** Reads the key of a request. `refusal`: `missing_key`, `invalid_key`, `publishable_key_refused`, `secret_key_refused`. */
export async function authenticate(request: IncomingMessage, surface: Surface): Promise<Bearer> {
  const key = surface.keyOf(request);
  if (!key) return refused(new CodedError('missing_key', surface.howToSendKey(request)));
  try {
    const principal = await verifyKey(key);
    if (principal.keyKind === surface.keyKind) return { principal, refusal: null };
    return refused(new CodedError(surface.refusal.code, surface.refusal.message), principal);
  } catch (error) {
    if (error instanceof CodedError) return refused(error);
    throw error;
  }
}

function refused(refusal: CodedError, principal: KeyPrincipal | null = null): Bearer {
  return { principal, refusal };
}
