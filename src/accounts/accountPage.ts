import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/origins.ts';

type TokenPage =
  | 'invitation'
  | 'reset-password'
  | 'confirm-email'
  | 'change-email'
  | 'undo-email-change'
  | 'undo-second-factor';

/** The URL of a dashboard page with a token behind #, where neither logs nor Referer headers see it. */
export function accountPage(name: TokenPage, token: string): string {
  return `${config.baseUrl}${OWN_PATHS.dashboard}/${name}#token=${token}`;
}
