import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { EventType } from './catalogue.ts';

type Data = Record<string, unknown>;

/** Realistic data of an event of that type, for the test button; ids in it name nothing that exists. */
export function sampleData(type: EventType): Data {
  return SAMPLES[type]();
}

const at = () => now().toISOString();

const link = (): Data => ({
  id: newId('lnk'),
  project_id: newId('prj'),
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

const briefLink = (): Data => {
  const { id, domain, slug, short_url, external_id, tags } = link();
  return { id, domain, slug, short_url, external_id, tags };
};

const openedLink = (): Data => {
  const { id, slug, domain, short_url, destination, data } = link();
  return { id, slug, domain, short_url, destination, data };
};

const match = (): Data => ({
  matched: true,
  method: 'referrer',
  confidence: 100,
  guaranteed: true,
  factors: [],
  clicked_at: at(),
});

const INSTALL_ID = '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11';

const checks = (status: string, message: string): Data => ({
  checks: [{ name: 'link_domain', status, message, since: at() }],
});

/** One row for each event type. */
const SAMPLES: Record<EventType, () => Data> = {
  'link.created': () => ({ link: link() }),
  'link.updated': () => ({
    link: link(),
    changes: {
      destination: { from: 'https://www.example.com/soon', to: 'https://www.example.com/sale?from=newsletter' },
    },
  }),
  'link.archived': () => ({ link: { ...link(), status: 'archived', archived_at: at() } }),
  'link.flagged': () => ({
    link: { ...link(), status: 'flagged', flag_reason: 'phishing', flagged_at: at() },
    reason: 'phishing',
  }),
  'link.deleted': () => ({ link: link() }),
  'links.imported': () => ({
    batch_id: newId('bat'),
    source: 'csv',
    action: 'create',
    counts: { created: 2, failed: 0 },
    link_ids: [newId('lnk'), newId('lnk')],
    link_ids_truncated: false,
  }),
  'link.clicked': () => ({
    click: {
      id: newId('clk'),
      occurred_at: at(),
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
      utm: link().utm,
    },
    link: briefLink(),
  }),
  'app.installed': () => ({
    install: {
      id: 'ins_01kb1fm3s3e6r8v5n2j0c4q7xw',
      install_id: INSTALL_ID,
      platform: 'ios',
      app_version: '1.4.0',
      os_version: '18.1',
      first_opened_at: at(),
    },
    match: match(),
    click_id: newId('clk'),
    link: openedLink(),
  }),
  'app.opened': () => ({
    open_id: 'opn_1',
    install_id: INSTALL_ID,
    platform: 'ios',
    direct: true,
    match: match(),
    link: openedLink(),
  }),
  'app.event': () => ({
    event: {
      id: 'order-1001',
      name: 'purchase',
      occurred_at: at(),
      value: 29.9,
      currency: 'EUR',
      properties: { items: 2 },
    },
    install_id: INSTALL_ID,
    link: openedLink(),
  }),
  'health.failed': () => checks('fail', 'The link domain does not point here. Set its CNAME record.'),
  'health.recovered': () => checks('pass', 'The link domain points here.'),
  'domain.verified': () => ({
    domain: { hostname: 'go.example.com', kind: 'link', status: 'verified', verified_at: at() },
  }),
  'alert.created': () => ({
    alert: {
      kind: 'webhook_disabled',
      severity: 'warning',
      title: 'A webhook was switched off',
      message: 'https://hooks.example.com/svc failed 20 times in a row.',
      details: {},
      created_at: at(),
    },
  }),
};
