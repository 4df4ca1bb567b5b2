import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import { inTransaction } from '../db/transactions.ts';
import { memoize } from '../kernel/cache.ts';
import { clock } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { randomToken } from '../kernel/secrets.ts';
import type { Webhook } from '../models/Webhook.ts';
import { aboutWebhook, findWebhook, lockWebhook } from './findWebhook.ts';

/** A webhook with its newest secret. */
export type WebhookWithSecret = Webhook & { secret: string };

/**
 * Returns the newest secret. It is shown only to those who may change the webhook, and each reading is audited. Throws
 * `not_found`.
 */
export async function readSecret(principal: Principal, id: string): Promise<WebhookWithSecret> {
  const webhook = await findWebhook(principal, 'webhooks:write', id);
  await inTransaction((transaction) =>
    recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.secret_read' }),
  );
  const [secret = ''] = liveSecrets(webhook);
  return Object.assign(webhook, { secret });
}

/** A day to deploy the new secret everywhere. */
const DEFAULT_SECONDS = 86_400;

/** Each live secret adds a signature to the header of every delivery. */
const MAX_LIVE_SECRETS = 3;

/**
 * Adds a new secret. The previous ones go on signing too for at most `expirePreviousSeconds`. Throws `not_found`, and
 * `conflict` when more than three secrets would be live.
 */
export async function rotateSecret(
  principal: Principal,
  id: string,
  { expirePreviousSeconds }: { expirePreviousSeconds?: number },
): Promise<WebhookWithSecret> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  const secret = newWebhookSecret();
  const end = clock.now() + (expirePreviousSeconds ?? DEFAULT_SECONDS) * 1000;
  const webhook = await inTransaction(async (transaction) => {
    const locked = await lockWebhook(found.id, transaction);
    const previous = endingBy(end, storedSecrets(locked));
    if (previous.length >= MAX_LIVE_SECRETS) throw tooMany(previous);
    const secrets = sealSecrets(locked.id, [{ secret, expiresAt: null }, ...previous]);
    await announce(transaction, 'webhook', locked.id);
    const details = { previous_expires_at: new Date(end).toISOString() };
    await recordAudit(transaction, principal, { ...aboutWebhook(locked), action: 'webhook.secret_rotated', details });
    return locked.update({ secrets }, { transaction });
  });
  return Object.assign(webhook, { secret });
}

/** The secrets that are still live, none longer than until `end`; for 0 seconds the list is empty. */
function endingBy(end: number, secrets: readonly WebhookSecret[]): WebhookSecret[] {
  return secrets
    .map(({ secret, expiresAt }) => ({ secret, expiresAt: Math.min(expiresAt ?? end, end) }))
    .filter(({ expiresAt }) => expiresAt > clock.now());
}

function tooMany(live: WebhookSecret[]): CodedError {
  const next = new Date(Math.min(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)));
  return new CodedError(
    'conflict',
    `A webhook can have at most ${MAX_LIVE_SECRETS} live secrets. You can rotate again at ${next.toISOString()}, ` +
      'or now with expire_previous_seconds 0, which ends the other secrets at once.',
  );
}

/** Generates a secret: `whsec_` and 32 random bytes in base64url (43 characters). */
export function newWebhookSecret(): string {
  return `whsec_${randomToken(32)}`;
}

/** A signing secret; `expiresAt` (milliseconds) is set once a rotation has replaced it. */
export interface WebhookSecret {
  secret: string;
  expiresAt: number | null;
}

/** What may be shown of a secret that signs deliveries now. */
export interface SigningSecret {
  lastFour: string;
  /** When it stops signing; null for the current secret. */
  expiresAt: Date | null;
}

/** The secrets that sign deliveries now, newest first, without what they are. The caller has authorized the webhook. */
export function signingSecrets(webhook: SealedWebhook): SigningSecret[] {
  return live(webhook).map(({ secret, expiresAt }) => ({
    lastFour: secret.slice(-4),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  }));
}

/** Encrypts the secrets of a webhook, newest first, for its `secrets` column. */
export function sealSecrets(webhookId: string, secrets: WebhookSecret[]): string {
  return sealFor('webhookSecrets', [webhookId], JSON.stringify(secrets));
}

/** The columns of a webhook that reading its secrets needs. */
interface SealedWebhook {
  id: string;
  secrets: string;
}

/** Recently decrypted columns: every delivery needs the secrets of its webhook. */
const opened = memoize((idAndSealed: string): WebhookSecret[] => {
  const space = idAndSealed.indexOf(' ');
  return JSON.parse(unsealFor('webhookSecrets', [idAndSealed.slice(0, space)], idAndSealed.slice(space + 1)));
}, 1000);

/** All stored secrets, newest first, including expired ones. */
export function storedSecrets({ id, secrets: sealed }: SealedWebhook): readonly WebhookSecret[] {
  return opened(`${id} ${sealed}`);
}

/** The secrets that sign deliveries now, newest first. */
export function liveSecrets(webhook: SealedWebhook): string[] {
  return live(webhook).map(({ secret }) => secret);
}

function live(webhook: SealedWebhook): WebhookSecret[] {
  return storedSecrets(webhook).filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
}
