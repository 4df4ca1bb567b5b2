import { checkAppleFiles } from './checks/checkAppleFiles.ts';
import { checkAssetLinks } from './checks/checkAssetLinks.ts';
import { checkCertificates } from './checks/checkCertificates.ts';
import { checkDestinations } from './checks/checkDestinations.ts';
import { checkLinkDomains } from './checks/checkLinkDomains.ts';
import { checkPublishableKey } from './checks/checkPublishableKey.ts';
import { checkStorePages } from './checks/checkStorePages.ts';
import { checkWebhooks } from './checks/checkWebhooks.ts';
import type { CheckResult } from './findings.ts';
import type { ProbeSession } from './ProbeSession.ts';
import type { CheckSubject } from './readSubject.ts';

/** A row of the table of checks. */
interface Check {
  /** The name in the API. */
  name: string;
  about: string;
  /** Returns null if the result could not be determined; the status then stays as it is. */
  run(subject: CheckSubject, probes: ProbeSession): Promise<CheckResult | null> | CheckResult;
}

/** All health checks of a project, in the order in which they are shown. */
export const CHECKS: Check[] = [
  {
    name: 'link_domains_resolve',
    about: 'Link domains have addresses and point to this service.',
    run: checkLinkDomains,
  },
  {
    name: 'certificates',
    about: 'The certificates of link domains are valid and not about to expire.',
    run: checkCertificates,
  },
  {
    name: 'apple_app_site_association',
    about: 'The files that iOS reads for Universal Links list every app.',
    run: checkAppleFiles,
  },
  { name: 'asset_links', about: 'The files that Android reads for App Links list every app.', run: checkAssetLinks },
  {
    name: 'destinations',
    about: 'Default destinations and those of the most clicked links respond.',
    run: checkDestinations,
  },
  { name: 'store_pages', about: 'The store pages of the apps respond.', run: checkStorePages },
  { name: 'webhooks', about: 'Webhooks are enabled and their deliveries succeed.', run: checkWebhooks },
  { name: 'publishable_key', about: 'Apps use a publishable key.', run: checkPublishableKey },
];
