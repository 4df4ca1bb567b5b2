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

/** The secrets that sign now, newest first. */
export function liveSecrets(sealed: string): string[] {
  const stored = JSON.parse(unseal(sealed)) as WebhookSecret[];
  return stored.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now()).map(({ secret }) => secret);
}
