import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { makeStore, option, type Product, print, startOn } from './support/product.ts';
import { percentile } from './support/timings.ts';

/**
 * What each page of the dashboard costs a browser that has nothing of it yet: requests until it can be used, of them GraphQL, the
 * processor time of its scripts and the time on the clock; and the clock again for a change to it from the overview. Each
 * page is opened `rounds` times and the median is told. Chromium is that of `CHROMIUM`, or Debian's.
 *
 *   npm run build && npm run bench -- pages [links=1000] [rounds=5]
 */
const links = Number(option('links', '1000'));
const rounds = Number(option('rounds', '5'));
const PORT = 3457;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const IN_ONE_REQUEST = 100;

const store = await makeStore('sqlite', 'bench_pages');
const product = await startOn(store, { port: PORT, env: { ALLOW_PRIVATE_TARGETS: 'true' } });
const browser = await launchChromium();
try {
  const pages = await fill(product);
  const cookies = await signIn();
  print(`${''.padEnd(24)} requests  GraphQL  script ms  usable ms  changed to ms`);
  for (const [name, below] of Object.entries(pages)) {
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round += 1) seen.push(await look(browser, cookies, below));
    const column = (key: keyof Seen, width: number) =>
      percentile(
        seen.map((one) => one[key]),
        0.5,
      )
        .toFixed(0)
        .padStart(width);
    print(
      `${name.padEnd(24)} ${column('requests', 8)} ${column('graphql', 8)} ${column('scriptMs', 10)} ${column('usableMs', 10)} ${column('changedMs', 14)}`,
    );
  }
} finally {
  await browser.close();
  await product.stop();
  await store.remove();
}

interface Seen {
  requests: number;
  graphql: number;
  scriptMs: number;
  usableMs: number;
  changedMs: number;
}

type Cookies = Parameters<Awaited<ReturnType<Browser['newContext']>>['addCookies']>[0];

async function look(browser: Browser, cookies: Cookies, below: string): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await context.addCookies(cookies);
  const page = await context.newPage();
  let [requests, graphql] = [0, 0];
  page.on('request', (request) => {
    requests += 1;
    if (request.url().endsWith('/graphql')) graphql += 1;
  });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const startedAt = performance.now();
  await page.goto(`${ORIGIN}/app${below}`, { waitUntil: 'commit' });
  await usable(page);
  const usableMs = performance.now() - startedAt;
  const cold = { requests, graphql };
  const { metrics } = await session.send('Performance.getMetrics');
  const scriptMs = 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
  // Back at the overview, and here again by the router, as a link does it.
  await page.goto(`${ORIGIN}/app/`);
  await usable(page);
  await page.waitForLoadState('networkidle');
  const changedAt = performance.now();
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/app${below}`)})`);
  if (below !== '/') await page.locator('h1', { hasNotText: 'Overview' }).waitFor();
  await usable(page);
  const changedMs = performance.now() - changedAt;
  await context.close();
  return { ...cold, scriptMs, usableMs, changedMs };
}

/** The heading is there, and nothing above the fold is still on its way. */
async function usable(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('#content [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Makes what the pages show, and gives their paths. */
async function fill({ call }: Product): Promise<Record<string, string>> {
  let linkId = '';
  for (let from = 0; from < links; from += IN_ONE_REQUEST) {
    const part = Array.from({ length: Math.min(IN_ONE_REQUEST, links - from) }, (_, index) => ({
      destination: `https://example.com/${from + index}`,
      slug: `page-${from + index}`,
      tags: [`tag ${index % 7}`],
    }));
    linkId = (await call('POST', '/links/bulk', { links: part })).results[0].link.id;
  }
  const webhook = await call('POST', '/webhooks', {
    url: 'http://127.0.0.1:3458/',
    event_types: ['link.deleted'],
  });
  const domain = await call('POST', '/domains', { hostname: 'go.customer.com' });
  return {
    overview: '/',
    links: '/links',
    'new link': '/links/new',
    'one link': `/links/${linkId}`,
    'edit a link': `/links/${linkId}/edit`,
    imports: '/imports',
    'new import': '/imports/new',
    analytics: '/analytics',
    'unknown links': '/analytics/unknown-links',
    webhooks: '/webhooks',
    'new webhook': '/webhooks/new',
    deliveries: `/webhooks/${webhook.id}/deliveries`,
    events: '/webhooks/events',
    domains: '/domains',
    'one domain': `/domains/${domain.id}`,
    health: '/health',
    alerts: '/alerts',
    apps: '/apps',
    installs: '/apps/installs',
    simulator: '/apps/simulator',
    settings: '/settings',
    'settings: apps': '/settings?tab=apps',
    api: '/api',
    team: '/team',
    'team: data': '/team?tab=data',
    'audit log': '/team/audit',
    account: '/account',
    'account: mail': '/account/mail',
    'account: look': '/account/look',
  };
}

async function signIn(): Promise<Cookies> {
  const text = await readFile(path.join(store.folder, 'first-account'), 'utf8');
  const email = /\S+@\S+/.exec(text)?.[0];
  const password = /password:?\s+(\S+)/i.exec(text)?.[1];
  const context = await browser.newContext();
  const query = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
  const data = { query, variables: { input: { email, password } } };
  const response = await context.request.post(`${ORIGIN}/graphql`, { data });
  const { errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const { cookies } = await context.storageState();
  await context.close();
  return cookies;
}
