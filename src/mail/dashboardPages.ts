import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/ownPaths.ts';

/** The pages of the dashboard that mails lead to. */
export const DASHBOARD_PAGES = {
  alert: (alertId: string) => page(`/alerts/${alertId}`),
  alerts: (teamId: string) => page(`/alerts?team=${teamId}`),
  mailPreferences: (teamId: string) => page(`/account/mail?team=${teamId}`),
  account: () => page('/account'),
};

function page(path: string): string {
  return `${config.baseUrl}${OWN_PATHS.dashboard}${path}`;
}
