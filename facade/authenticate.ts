import type { IncomingMessage } from 'node:http';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { verifyKey } from '../src/access/verifyKey.ts';
import { CodedError } from '../src/kernel/errors.ts';

/** Who the bearer key of a REST request stands for. Throws `missing_key`, `invalid_key`, `publishable_key_refused`. */
export async function authenticate(request: IncomingMessage): Promise<KeyPrincipal> {
  const [, key] = /^bearer +(\S.*)$/i.exec(request.headers.authorization?.trim() ?? '') ?? [];
  if (!key) throw new CodedError('missing_key', 'Send a secret key: Authorization: Bearer sk_live_…');
  const principal = await verifyKey(key);
  if (principal.keyKind === 'publishable') {
    throw new CodedError('publishable_key_refused', 'A publishable key is for apps; the REST API needs a secret key.');
  }
  return principal;
}
