import { WebhookVerificationError } from './WebhookVerificationError.ts';

/**
 * One secret or several as a list. Throws `missing_secret` if there is none or any is empty: everybody could sign with
 * an empty one, and a variable of the environment that is not set easily becomes that.
 */
export function secretList(secretOrSecrets: string | readonly string[]): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secretOrSecrets) ? secretOrSecrets : [secretOrSecrets];
  if (secrets.length > 0 && secrets.every(isFilled)) return secrets as readonly string[];
  throw new WebhookVerificationError(
    'missing_secret',
    'A signing secret is missing or empty. Pass the whole secret of the webhook, whsec_ included, or a list of them; check the setting that holds it.',
  );
}

const isFilled = (secret: unknown) => typeof secret === 'string' && secret.trim() !== '';
