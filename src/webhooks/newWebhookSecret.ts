import { randomToken } from '../kernel/secrets.ts';

/** `whsec_` and 32 random bytes in base64url (43 characters). */
export function newWebhookSecret(): string {
  return `whsec_${randomToken(32)}`;
}
