import { linkTarget } from '../domains/ownAddresses.ts';
import { proofText, verificationRecords } from '../domains/verification.ts';
import type { ClickFacts } from '../events/presentClick.ts';
import type { LinkFacts } from '../events/presentLink.ts';
import type { AlertFacts, DomainFacts } from '../events/presentMonitoring.ts';
import { config } from '../kernel/config.ts';
import type { IdPrefix } from '../kernel/ids.ts';
import { NOTHING_SEEN } from '../models/Domain.ts';
import { emptyRow } from '../models/define.ts';
import type { CheckFacts } from '../models/HealthCheck.ts';
import { Link } from '../models/Link.ts';
import type { MatchFacts } from '../models/match.ts';

/** The parts that differ between samples. Apart from the project, ids are made up. */
export interface SampleContext {
  /** The project of the event. */
  projectId: string;
  id(prefix: IdPrefix): string;
  at: Date;
}

const SAMPLE_DOMAIN = { hostname: 'go.example.com', kind: 'link', verificationToken: 'Qm3xV8rT0aLw5cYd' } as const;
const HOUR_SECONDS = 3600;
const UTM = { source: 'newsletter', medium: 'email', campaign: 'spring' };

/** Realistic input for the presenters of events. */
export function sampleFacts(context: SampleContext) {
  return {
    ...context,
    tags: ['newsletter'],
    /** A UUID, as the SDKs generate it. */
    installId: '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11',
    link: (more: Partial<LinkFacts> = {}) => linkFacts(context, more),
    click: (link: LinkFacts) => clickFacts(context, link),
    match: (method: 'link' | 'referrer') => matchFacts(context, method),
    check: (status: 'pass' | 'fail') => checkFacts(context, status),
    domain: () => domainFacts(context),
    alert: () => alertFacts(context),
  };
}

/** A link with some clicks. */
function linkFacts({ projectId, id, at }: SampleContext, more: Partial<LinkFacts>): LinkFacts {
  return {
    ...(emptyRow(Link) as unknown as LinkFacts),
    id: id('lnk'),
    projectId,
    domain: config.linkDomain,
    slug: 'spring-sale',
    destination: 'https://www.example.com/sale?from=newsletter',
    data: { screen: 'sale' },
    externalId: 'campaign-42',
    title: 'Spring sale',
    utm: UTM,
    clicks: 128,
    lastClickedAt: secondsBefore(at, 90),
    createdAt: secondsBefore(at, 72 * HOUR_SECONDS),
    updatedAt: secondsBefore(at, 48 * HOUR_SECONDS),
    ...more,
  };
}

function clickFacts({ id, at }: SampleContext, { destination }: LinkFacts): ClickFacts {
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

/** A certain match, reported by the device itself. */
function matchFacts({ at }: SampleContext, method: 'link' | 'referrer'): MatchFacts {
  return {
    method,
    confidence: 100,
    factors: [{ name: method, points: 100 }],
    clickedAt: secondsBefore(at, method === 'link' ? 0 : 240),
  };
}

function checkFacts({ at }: SampleContext, status: 'pass' | 'fail'): CheckFacts {
  const message =
    status === 'pass'
      ? 'Every link domain leads here.'
      : 'go.example.com has no address: set its CNAME record to the name of this service.';
  return { name: 'link_domains_resolve', status, message, since: at };
}

function domainFacts({ projectId, id, at }: SampleContext): DomainFacts {
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
    managedBy: null,
    createdAt: secondsBefore(at, HOUR_SECONDS),
    updatedAt: at,
  };
}

function alertFacts({ projectId, id, at }: SampleContext): AlertFacts {
  return {
    id: id('alt'),
    projectId,
    kind: 'webhook_disabled',
    severity: 'warning',
    title: 'A webhook was disabled',
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
