import { clock } from '../../kernel/clock.ts';
import { seal, unseal } from '../../kernel/secrets.ts';

/** A signing secret; `expiresAt` (milliseconds) is set once a rotation has replaced it. */
export interface WebhookSecret {
  secret: string;
  expiresAt: number | null;
}

/** The column of a webhook that holds its secrets, newest first, encrypted. */
export function sealSecrets(secrets: WebhookSecret[]): string {
  return seal(JSON.stringify(secrets));
}

/** Every secret that the column holds, newest first, also those that have expired. */
export function storedSecrets(sealed: string): WebhookSecret[] {
  return JSON.parse(unseal(sealed));
}

/** The secrets that sign now, newest first. */
export function liveSecrets(sealed: string): string[] {
  const live = storedSecrets(sealed).filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  return live.map(({ secret }) => secret);
}
