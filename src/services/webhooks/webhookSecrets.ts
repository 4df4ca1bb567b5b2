import { LRUCache } from 'lru-cache';
import { sealFor, unsealFor } from '../../db/sealedColumns.ts';
import { clock } from '../../kernel/clock.ts';

/** A signing secret; `expiresAt` (milliseconds) is set once a rotation has replaced it. */
export interface WebhookSecret {
  secret: string;
  expiresAt: number | null;
}

/** The column of a webhook that holds its secrets, newest first, encrypted. */
export function sealSecrets(webhookId: string, secrets: WebhookSecret[]): string {
  return sealFor('webhookSecrets', [webhookId], JSON.stringify(secrets));
}

/** What is read of a webhook for its secrets. */
interface SealedWebhook {
  id: string;
  secrets: string;
}

/** Columns that were opened lately: each delivery asks for the secrets of its webhook. */
const opened = new LRUCache<string, WebhookSecret[]>({ max: 1000 });

/** Every secret that the column holds, newest first, also those that have expired. */
export function storedSecrets({ id, secrets: sealed }: SealedWebhook): readonly WebhookSecret[] {
  const name = `${id} ${sealed}`;
  const known = opened.get(name);
  if (known) return known;
  const secrets: WebhookSecret[] = JSON.parse(unsealFor('webhookSecrets', [id], sealed));
  opened.set(name, secrets);
  return secrets;
}

/** The secrets that sign now, newest first. */
export function liveSecrets(webhook: SealedWebhook): string[] {
  const live = storedSecrets(webhook).filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  return live.map(({ secret }) => secret);
}
