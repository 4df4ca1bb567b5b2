import { LRUCache } from 'lru-cache';
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

/** Columns that were opened lately: each delivery asks for the secrets of its webhook. */
const opened = new LRUCache<string, WebhookSecret[]>({ max: 1000 });

/** Every secret that the column holds, newest first, also those that have expired. */
export function storedSecrets(sealed: string): readonly WebhookSecret[] {
  const known = opened.get(sealed);
  if (known) return known;
  const secrets: WebhookSecret[] = JSON.parse(unseal(sealed));
  opened.set(sealed, secrets);
  return secrets;
}

/** The secrets that sign now, newest first. */
export function liveSecrets(sealed: string): string[] {
  const live = storedSecrets(sealed).filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  return live.map(({ secret }) => secret);
}
