import { WebhookVerificationError } from './WebhookVerificationError.ts';

/**
 * One secret or several as a list. Throws `missing_secret` if there is none or any is empty: everybody could sign with
 * an empty one, and a variable of the environment that is not set easily becomes that. Throws `invalid_secret` for
 * whitespace around one.
 */
export function secretList(secretOrSecrets: string | readonly string[]): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secretOrSecrets) ? secretOrSecrets : [secretOrSecrets];
  if (secrets.length > 0 && secrets.every(isFilled)) return trimmed(secrets as readonly string[]);
  throw new WebhookVerificationError(
    'missing_secret',
    'A signing secret is missing or empty. Pass the whole secret of the webhook, whsec_ included, or a list of them; check the setting that holds it.',
  );
}

const isFilled = (secret: unknown) => typeof secret === 'string' && secret.trim() !== '';

/** Not trimmed without a word: the setting would stay as it is, and fail wherever something else reads it. */
function trimmed(secrets: readonly string[]): readonly string[] {
  if (secrets.every((secret) => secret === secret.trim())) return secrets;
  throw new WebhookVerificationError(
    'invalid_secret',
    'A signing secret has whitespace around it, perhaps the line break at the end of the file that it was read from. Take that away: the secret goes from whsec_ to its last character.',
  );
}
