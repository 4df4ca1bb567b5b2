import { randomBytes } from 'node:crypto';
import type { CreatedWebhook } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';

/** What local requests are signed with. */
export interface Signing {
  secret: string;
  /** What is said about it: where it comes from. */
  about: string;
}

/** The secret of a webhook, or the one of this profile, which is made once and kept: what a program is set up with stays right. */
export async function signingOf(context: Context, webhookId?: string): Promise<Signing> {
  if (webhookId !== undefined) {
    const { secret } = await context.json<CreatedWebhook>('getWebhookSecret', { variables: { id: webhookId } });
    return { secret, about: `of ${webhookId}` };
  }
  const kept = context.profile.stored?.listenSecret;
  if (kept) return { secret: kept, about: 'stays the same' };
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  // A key of the environment has no profile yet: the secret gets one, with the address and without the key.
  await context.keep({ ...(context.profile.stored ? {} : { url: context.url }), listenSecret: secret });
  return { secret, about: 'stays the same' };
}
