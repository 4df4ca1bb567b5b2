import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/origins.ts';

/** The URL of a dashboard page with a token behind #, where neither logs nor Referer headers see it. */
export function accountPage(name: 'invitation' | 'reset-password' | 'confirm-email', token: string): string {
  return `${config.baseUrl}${OWN_PATHS.dashboard}/${name}#token=${token}`;
}
