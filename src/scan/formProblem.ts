import { isRefusedScheme } from '../kernel/urls.ts';
import type { Target } from './target.ts';

/** The forms were checked at the door already; here they are checked wherever a URL came from. */
export function formProblem({ url, isWeb, host }: Target): string | null {
  const scheme = url.protocol.slice(0, -1);
  if (isRefusedScheme(scheme)) return `The scheme ${scheme}: is not allowed.`;
  if (url.username || url.password) return 'The URL has a user name or password in it.';
  if (!isWeb) return null;
  return host === '' || host.includes('..') || host.startsWith('.') ? 'The host name has an empty part.' : null;
}
