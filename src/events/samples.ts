import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { EventType } from './catalogue.ts';

type Data = Record<string, unknown>;

/** What differs from sample to sample. */
export interface Making {
  id(prefix: IdPrefix): string;
  at(): string;
}

const AFRESH: Making = { id: newId, at: () => now().toISOString() };

/** Realistic data of an event of that type, for the test button; ids in it name nothing that exists. */
export function sampleData(type: EventType, making: Making = AFRESH): Data {
  return SAMPLES[type](making);
}

const link = ({ id, at }: Making): Data => ({
  id: id('lnk'),
  project_id: id('prj'),
  domain: config.linkDomain,
  slug: 'spring-sale',
  short_url: shortUrl(config.linkDomain, 'spring-sale'),
  destination: 'https://www.example.com/sale?from=newsletter',
  routing: null,
  data: { screen: 'sale' },
  tags: ['newsletter'],
  status: 'active',
  external_id: 'campaign-42',
  title: 'Spring sale',
  notes: null,
  utm: { source: 'newsletter', medium: 'email', campaign: 'spring', term: null, content: null },
  preview: null,
  password_protected: false,
  starts_at: null,
  expires_at: null,
  expired_destination: null,
  click_limit: null,
  match_window_seconds: null,
  clicks: 128,
  last_clicked_at: at(),
  flag_reason: null,
  flagged_at: null,
  archived_at: null,
  created_at: at(),
  updated_at: at(),
});

const briefLink = (making: Making): Data => {
  const { id, domain, slug, short_url, external_id, tags } = link(making);
  return { id, domain, slug, short_url, external_id, tags };
};

const openedLink = (making: Making): Data => {
  const { id, slug, domain, short_url, destination, data } = link(making);
  return { id, slug, domain, short_url, destination, data };
};

const match = ({ at }: Making): Data => ({
  matched: true,
  method: 'referrer',
  confidence: 100,
  guaranteed: true,
  factors: [],
  clicked_at: at(),
});

const INSTALL_ID = '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11';

const checks = ({ at }: Making, status: string, message: string): Data => ({
  checks: [{ name: 'link_domain', status, message, since: at() }],
});

/** One row for each event type. */
const SAMPLES: Record<EventType, (making: Making) => Data> = {
  'link.created': (making) => ({ link: link(making) }),
  'link.updated': (making) => ({
    link: link(making),
    changes: {
      destination: { from: 'https://www.example.com/soon', to: 'https://www.example.com/sale?from=newsletter' },
    },
  }),
  'link.archived': (making) => ({ link: { ...link(making), status: 'archived', archived_at: making.at() } }),
  'link.flagged': (making) => ({
    link: { ...link(making), status: 'flagged', flag_reason: 'phishing', flagged_at: making.at() },
    reason: 'phishing',
  }),
  'link.deleted': (making) => ({ link: link(making) }),
  'links.imported': (making) => ({
    batch_id: making.id('bat'),
    source: 'csv',
    action: 'create',
    counts: { created: 1, updated: 0, skipped: 0, failed: 0 },
    link_ids: [making.id('lnk')],
    link_ids_truncated: false,
  }),
  'link.clicked': (making) => ({
    click: {
      id: making.id('clk'),
      occurred_at: making.at(),
      traffic_class: 'human',
      country: 'DE',
      region: null,
      city: null,
      platform: 'ios',
      device: 'mobile',
      browser: 'Mobile Safari',
      referrer_host: 't.co',
      language: 'de-de',
      destination: 'https://www.example.com/sale?from=newsletter',
      rule: null,
      utm: link(making).utm,
    },
    link: briefLink(making),
  }),
  'app.installed': (making) => ({
    install: {
      id: making.id('ins'),
      install_id: INSTALL_ID,
      platform: 'ios',
      app_version: '1.4.0',
      os_version: '18.1',
      first_opened_at: making.at(),
    },
    match: match(making),
    click_id: making.id('clk'),
    link: openedLink(making),
  }),
  'app.opened': (making) => ({
    open_id: 'opn_1',
    install_id: INSTALL_ID,
    platform: 'ios',
    direct: true,
    match: match(making),
    link: openedLink(making),
  }),
  'app.event': (making) => ({
    event: {
      id: 'order-1001',
      name: 'purchase',
      occurred_at: making.at(),
      value: 29.9,
      currency: 'EUR',
      properties: { items: 2 },
    },
    install_id: INSTALL_ID,
    link: openedLink(making),
  }),
  'health.failed': (making) => checks(making, 'fail', 'The link domain does not point here. Set its CNAME record.'),
  'health.recovered': (making) => checks(making, 'pass', 'The link domain points here.'),
  'domain.verified': (making) => ({
    domain: {
      id: making.id('dom'),
      project_id: making.id('prj'),
      hostname: 'go.example.com',
      kind: 'link',
      status: 'verified',
      verification: [{ name: 'go.example.com', type: 'CNAME', value: config.linkDomain }],
      checked_at: making.at(),
      verified_at: making.at(),
      root_destination: null,
      not_found_destination: null,
      expired_destination: null,
      created_at: making.at(),
      updated_at: making.at(),
    },
  }),
  'alert.created': (making) => ({
    alert: {
      id: making.id('alt'),
      project_id: making.id('prj'),
      kind: 'webhook_disabled',
      severity: 'warning',
      title: 'A webhook was switched off',
      message: 'https://hooks.example.com/svc failed 20 times in a row.',
      link_id: null,
      webhook_id: making.id('whk'),
      details: { consecutive_failures: 20 },
      acknowledged_at: null,
      resolved_at: null,
      created_at: making.at(),
      updated_at: making.at(),
    },
  }),
};
