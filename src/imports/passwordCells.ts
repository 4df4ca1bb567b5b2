import type { Target } from './formats.ts';

/** As good as an empty cell: the other column is what counts. */
const NOTHING = /^(|none|null|nil|n\/a|-|0)$/i;
const PUBLIC = /^(false|no|off|disabled|public)$/i;
const SOME = /^(true|yes|y|on|enabled|protected|set|1)$/i;
/** Stars and dots in its place, or a hash of it. */
const HIDDEN =
  /^[*•●·x]{3,}$|^\$(2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$|^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

const UNKNOWN =
  'The link asks for a password, which the file does not have. Write it into a column "password", or "false" where the link may be public.';

/** The password of a link, null for none. A row whose password cannot be known is refused: its link would be public. */
export function passwordIn(
  { password = '', is_protected = '' }: Partial<Record<Target, string>>,
  complain: (target: Target, message: string) => void,
): string | null {
  const [given, protection] = [password.trim(), is_protected.trim()];
  if (NOTHING.test(given)) {
    if (!NOTHING.test(protection) && !PUBLIC.test(protection)) complain('is_protected', UNKNOWN);
  } else if (!PUBLIC.test(given)) {
    if (!SOME.test(given) && !HIDDEN.test(given)) return password;
    complain('password', UNKNOWN);
  }
  return null;
}
