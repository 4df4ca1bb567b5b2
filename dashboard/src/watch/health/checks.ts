import type { ResultOf } from '../../kernel/graphql.ts';
import { graphql } from '../../kernel/graphql.ts';
import { t } from '../../texts/index.ts';

export const HEALTH = graphql(`
  query Health($projectId: ID!) {
    health(projectId: $projectId) {
      status
      checkedAt
      checks {
        name
        status
        message
        since
      }
    }
  }
`);

export type Check = ResultOf<typeof HEALTH>['health']['checks'][number];
export type CheckStatus = Check['status'];

/** Where each check is put right. */
const PLACES: Record<string, { to: string; search: Record<string, string> }> = {
  link_domains_resolve: { to: '/domains', search: {} },
  certificates: { to: '/domains', search: {} },
  apple_app_site_association: { to: '/settings', search: { tab: 'apps' } },
  asset_links: { to: '/settings', search: { tab: 'apps' } },
  destinations: { to: '/links', search: {} },
  store_pages: { to: '/settings', search: { tab: 'apps' } },
  webhooks: { to: '/webhooks', search: {} },
  publishable_key: { to: '/api', search: {} },
};

/** What to do about a check, and where; null for one that this page does not know yet. */
export function adviceOf(name: string) {
  const texts = t.watch.check[name as keyof typeof t.watch.check];
  const place = PLACES[name];
  return texts && place ? { ...place, advice: texts.advice, action: texts.action } : null;
}

/** A check in words. */
export function checkName(name: string): string {
  return t.watch.check[name as keyof typeof t.watch.check]?.name ?? name;
}
