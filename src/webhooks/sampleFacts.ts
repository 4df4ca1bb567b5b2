import { NOTHING_SEEN } from '../domains/Finding.ts';
import { linkTarget } from '../domains/ownAddresses.ts';
import { proofText } from '../domains/proof.ts';
import { verificationRecords } from '../domains/verificationRecords.ts';
import { config } from '../kernel/config.ts';
import type { IdPrefix } from '../kernel/ids.ts';
import type { AlertFacts } from './presentAlert.ts';
import type { ClickFacts } from './presentClick.ts';
import type { DomainFacts } from './presentDomain.ts';
import type { CheckFacts } from './presentHealth.ts';
import type { LinkFacts } from './presentLink.ts';
import type { MatchFacts } from './presentMatch.ts';

/** What differs from sample to sample. Ids name nothing that exists, but for the project. */
export interface Making {
  /** The project of the envelope. */
  projectId: string;
  id(prefix: IdPrefix): string;
  at: Date;
}

const SAMPLE_DOMAIN = { hostname: 'go.example.com', kind: 'link', verificationToken: 'Qm3xV8rT0aLw5cYd' } as const;
const HOUR_SECONDS = 3600;
const UTM = { source: 'newsletter', medium: 'email', campaign: 'spring' };

/** What causes might know, for the presenters of events. */
export function sampleFacts(making: Making) {
  return {
    ...making,
    tags: ['newsletter'],
    /** As SDKs make them. */
    installId: '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11',
    link: (more: Partial<LinkFacts> = {}) => linkFacts(making, more),
    click: (link: LinkFacts) => clickFacts(making, link),
    match: (method: 'link' | 'referrer') => matchFacts(making, method),
    check: (status: 'pass' | 'fail') => checkFacts(making, status),
    domain: () => domainFacts(making),
    alert: () => alertFacts(making),
  };
}

/** A link that has been followed for a while. */
function linkFacts({ projectId, id, at }: Making, more: Partial<LinkFacts>): LinkFacts {
  return {
    id: id('lnk'),
    projectId,
    domain: config.linkDomain,
    slug: 'spring-sale',
    destination: 'https://www.example.com/sale?from=newsletter',
    routing: null,
    data: { screen: 'sale' },
    externalId: 'campaign-42',
    title: 'Spring sale',
    notes: null,
    utm: UTM,
    preview: null,
    passwordHash: null,
    startsAt: null,
    expiresAt: null,
    expiredDestination: null,
    clickLimit: null,
    matchWindowSeconds: null,
    clicks: 128,
    lastClickedAt: secondsBefore(at, 90),
    flagReason: null,
    flaggedAt: null,
    archivedAt: null,
    createdAt: secondsBefore(at, 72 * HOUR_SECONDS),
    updatedAt: secondsBefore(at, 48 * HOUR_SECONDS),
    ...more,
  };
}

function clickFacts({ id, at }: Making, { destination }: LinkFacts): ClickFacts {
  return {
    id: id('clk'),
    occurredAt: secondsBefore(at, 30),
    trafficClass: 'human',
    country: 'DE',
    region: null,
    city: null,
    platform: 'ios',
    device: 'mobile',
    browser: 'Mobile Safari',
    referrerHost: 't.co',
    language: 'de-de',
    destination,
    rule: null,
    utm: UTM,
  };
}

/** A match that the device told itself. */
function matchFacts({ at }: Making, method: 'link' | 'referrer'): MatchFacts {
  return {
    method,
    confidence: 100,
    factors: [{ name: method, points: 100 }],
    clickedAt: secondsBefore(at, method === 'link' ? 0 : 240),
  };
}

function checkFacts({ at }: Making, status: 'pass' | 'fail'): CheckFacts {
  const message =
    status === 'pass'
      ? 'Every link domain leads here.'
      : 'go.example.com has no address: set its CNAME record to the name of this service.';
  return { name: 'link_domains_resolve', status, message, since: at };
}

function domainFacts({ projectId, id, at }: Making): DomainFacts {
  return {
    ...SAMPLE_DOMAIN,
    id: id('dom'),
    projectId,
    status: 'verified',
    verification: verificationRecords(
      { ...SAMPLE_DOMAIN, id: id('dom') },
      { target: linkTarget(), addresses: null, isProof: true },
      { ...NOTHING_SEEN, txt: [proofText(SAMPLE_DOMAIN)], alias: [linkTarget()], isRouted: true },
    ),
    problem: null,
    checkedAt: at,
    verifiedAt: at,
    rootDestination: 'https://www.example.com/',
    notFoundDestination: null,
    expiredDestination: null,
    createdAt: secondsBefore(at, HOUR_SECONDS),
    updatedAt: at,
  };
}

function alertFacts({ projectId, id, at }: Making): AlertFacts {
  return {
    id: id('alt'),
    projectId,
    kind: 'webhook_disabled',
    severity: 'warning',
    title: 'A webhook was switched off',
    message: 'https://hooks.example.com/svc failed 20 times in a row.',
    linkId: null,
    webhookId: id('whk'),
    details: { url: 'https://hooks.example.com/svc', reason: 'failures', consecutive_failures: 20 },
    acknowledgedAt: null,
    resolvedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

function secondsBefore(at: Date, seconds: number): Date {
  return new Date(at.getTime() - seconds * 1000);
}
