import type { Check } from './Check.ts';
import { checkAppleFiles } from './checks/checkAppleFiles.ts';
import { checkAssetLinks } from './checks/checkAssetLinks.ts';
import { checkCertificates } from './checks/checkCertificates.ts';
import { checkDestinations } from './checks/checkDestinations.ts';
import { checkLinkDomains } from './checks/checkLinkDomains.ts';
import { checkPublishableKey } from './checks/checkPublishableKey.ts';
import { checkStorePages } from './checks/checkStorePages.ts';
import { checkWebhooks } from './checks/checkWebhooks.ts';

/** Every health check of a project, in the order in which they are shown. */
export const CHECKS: Check[] = [
  { name: 'link_domains_resolve', about: 'Link domains have addresses and lead here.', run: checkLinkDomains },
  {
    name: 'certificates',
    about: 'Certificates of link domains are valid and not about to end.',
    run: checkCertificates,
  },
  {
    name: 'apple_app_site_association',
    about: 'The files that iOS asks for Universal Links name each app.',
    run: checkAppleFiles,
  },
  { name: 'asset_links', about: 'The files that Android asks for App Links name each app.', run: checkAssetLinks },
  { name: 'destinations', about: 'Default and most followed destinations answer.', run: checkDestinations },
  { name: 'store_pages', about: 'Store pages of the apps answer.', run: checkStorePages },
  { name: 'webhooks', about: 'Webhooks are enabled and do not fail.', run: checkWebhooks },
  { name: 'publishable_key', about: 'Apps use a publishable key.', run: checkPublishableKey },
];
