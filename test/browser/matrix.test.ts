// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  a11yProblems,
  COLOURS,
  goWithin,
  isDrawn,
  isThorough,
  screenshot,
  scrollsSideways,
  UNLIKE,
  usePages,
  WINDOWS,
} from '../support/browser.ts';
import { newMember, type SignedIn, theOwner } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const HOSTILE = '"><img src=x onerror=alert(1)>';

/** Words of ours that do not fit into their place: those of people, such as titles of links, may be cut. */
const CUT_WORDS = `[...document.querySelectorAll('button, label, legend, th, h1, h2, h3, summary, nav a')]
  .filter((element) => element.checkVisibility() && getComputedStyle(element).overflowX === 'hidden')
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && !element.closest('[class*="ProjectMenu"], [class*="button"]'))
  .map((element) => element.textContent)`;

/** Tables whose end lies where nobody can see it. */
const CUT_TABLES = `[...document.querySelectorAll('table')]
  .filter((table) => table.checkVisibility())
  .filter((table) => {
    let box = table.parentElement;
    while (box !== document.body && getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
    const isCut = ['hidden', 'clip'].includes(getComputedStyle(box).overflowX);
    return isCut && table.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
  })
  .map((table) => table.ariaLabel ?? table.textContent.slice(0, 50))`;

/** Each width at least once; every one in both themes where somebody looks at the pictures. */
const LOOKS = WINDOWS.filter(({ name }) => isThorough || name === '768-light' || UNLIKE.includes(name));

/** Ids of what the pages are about. */
interface Made {
  link: string;
  hook: string;
  imported: string;
  domain: string;
}

/** Every page behind the sign-in, some in more than one state. */
const PAGES: Record<string, (made: Made) => string> = {
  overview: () => '/',
  links: () => '/links',
  nothing: () => '/links?search=there-is-no-such-link',
  'new-link': () => '/links/new',
  link: ({ link }) => `/links/${link}`,
  'link-routing': ({ link }) => `/links/${link}?tab=routing`,
  'link-clicks': ({ link }) => `/links/${link}?tab=clicks`,
  'link-installs': ({ link }) => `/links/${link}?tab=installs`,
  'link-events': ({ link }) => `/links/${link}?tab=events`,
  'link-history': ({ link }) => `/links/${link}?tab=history`,
  'edit-link': ({ link }) => `/links/${link}/edit`,
  gone: () => '/links/lnk_00000000000000000000000000',
  imports: () => '/imports',
  'new-import': () => '/imports/new',
  import: ({ imported }) => `/imports/${imported}`,
  analytics: () => '/analytics',
  'unknown-links': () => '/analytics/unknown-links',
  apps: () => '/apps',
  installs: () => '/apps/installs',
  simulator: () => '/apps/simulator',
  webhooks: () => '/webhooks',
  'new-webhook': () => '/webhooks/new',
  deliveries: ({ hook }) => `/webhooks/${hook}/deliveries`,
  'webhook-test': ({ hook }) => `/webhooks/${hook}?tab=test`,
  'webhook-settings': ({ hook }) => `/webhooks/${hook}?tab=settings`,
  'webhook-replay': ({ hook }) => `/webhooks/${hook}?tab=replay`,
  events: () => '/webhooks/events',
  domains: () => '/domains',
  'new-domain': () => '/domains/new',
  domain: ({ domain }) => `/domains/${domain}`,
  health: () => '/health',
  alerts: () => '/alerts',
  settings: () => '/settings',
  'settings-apps': () => '/settings?tab=apps',
  'settings-tags': () => '/settings?tab=tags',
  'settings-delete': () => '/settings?tab=delete',
  'new-project': () => '/projects/new',
  api: () => '/api',
  team: () => '/team',
  'team-settings': () => '/team?tab=settings',
  'team-data': () => '/team?tab=data',
  audit: () => '/team/audit',
  'new-team': () => '/teams/new',
  account: () => '/account',
  'account-mail': () => '/account/mail',
  'account-sessions': () => '/account?tab=sessions',
  'account-delete': () => '/account?tab=delete',
  'account-look': () => '/account/look',
};

describe('every page of the dashboard', () => {
  const world = useWorld();
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };
  let made: Made;
  let receiver: Receiver;

  before(async () => {
    owner = await theOwner(world);
    receiver = await startReceiver((_, response) => response.end(HOSTILE));
    const links = [...Array(30).keys()].map((number) => ({
      destination: `https://example.com/${number}`,
      slug: `matrix-${number}`,
      title: number % 2 ? HOSTILE : null,
      tags: ['print', ...(number % 3 ? [HOSTILE.slice(0, 20)] : [])],
      ...(number % 5 ? {} : { password: 'a password' }),
    }));
    const { body } = await world.api('POST', '/links/bulk', { links });
    for (let click = 0; click < 20; click += 1) {
      const headers = { 'User-Agent': CHROME, Referer: `https://site-${click % 4}.example/` };
      await fetch(`${world.origin}/matrix-${(click % 3) + 1}`, { redirect: 'manual', headers });
    }
    const hook = await world.api('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
    await world.api('POST', `/webhooks/${hook.body.id}/test`, { type: 'link.created' });
    const started = await world.api('POST', '/imports?dry_run=true', undefined, {
      raw: 'destination,slug\nhttps://example.com/x,matrix-import\nnot a url,\n',
      headers: { 'Content-Type': 'text/csv' },
    });
    const domain = await world.api('POST', '/domains', { hostname: 'go.customer.com' });
    made = { link: body.results[2].link.id, hook: hook.body.id, imported: started.body.id, domain: domain.body.id };
    for (const [what, id] of Object.entries(made)) expect(id, what).to.be.a('string');
  });

  after(() => receiver.close());

  const addressOf = (name: string) => `/app${PAGES[name]?.(made)}`;
  const isReady = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };

  /** By a link of the dashboard, from wherever the page is. */
  async function go(page: Page, name: string): Promise<void> {
    if (page.url() === 'about:blank') await page.goto(addressOf(name));
    else await goWithin(page, addressOf(name));
    await isReady(page);
  }

  async function visit(page: Page, name: string): Promise<void> {
    await go(page, name);
    await expectKnown(page, name);
  }

  async function expectKnown(page: Page, name: string): Promise<void> {
    // What nothing is known of says so, and is looked at once, as `gone`.
    expect(await page.getByText('you may not see it').count(), name).to.equal(name === 'gone' ? 1 : 0);
  }

  for (const name of Object.keys(PAGES)) {
    it(`${name}: accessible and as wide as the window, in three widths and two themes`, async () => {
      const page = await pages.shared();
      await visit(page, name);
      for (const { name: look, viewport, colorScheme } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        await isDrawn(page);
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        // Another theme alone can break nothing but colours.
        if (UNLIKE.includes(look)) expect(await a11yProblems(page), look).to.deep.equal([]);
        else if (isThorough) expect(await a11yProblems(page, COLOURS), look).to.deep.equal([]);
        // Charts are drawn anew a moment after the window has another width.
        await screenshot(page, `${name}-${look}`);
        expect(await scrollsSideways(page), look).to.equal(false);
        expect(await page.evaluate(CUT_TABLES), look).to.deep.equal([]);
      }
    });
  }

  for (const locale of ['de-DE', 'ja-JP']) {
    it(`cuts no words on a phone in ${locale}`, async () => {
      const page = await pages.open({ locale, viewport: { width: 390, height: 844 } });
      for (const name of Object.keys(PAGES)) {
        await go(page, name);
        expect(await scrollsSideways(page), name).to.equal(false);
        expect(await page.evaluate(CUT_WORDS), name).to.deep.equal([]);
        await screenshot(page, `${name}-${locale}`);
      }
    });
  }

  for (const role of ['member', 'viewer'] as const) {
    it(`sends no request that is refused for a role: ${role}`, async () => {
      const { cookie } = await newMember(world, owner, owner.teamId, role);
      const page = await pages.open({ cookie });
      for (const each of Object.keys(PAGES)) {
        if (role === 'viewer') await visit(page, each);
        else {
          // Here alone each page is loaded by its address, and by nothing that another page has loaded before.
          await page.goto(addressOf(each));
          await isReady(page);
          await expectKnown(page, each);
        }
      }
    });
  }

  it('works for an admin in survival mode without a request that is refused, and says so on every page', async () => {
    const enter =
      'mutation ($teamId: ID!, $reason: String!) { enterSurvivalMode(teamId: $teamId, reason: $reason) { id } }';
    const { cookie } = await newMember(world, owner, owner.teamId, 'admin');
    await owner.ask(enter, { teamId: owner.teamId, reason: 'a test of pages' });
    try {
      const page = await pages.open({ cookie });
      for (const name of Object.keys(PAGES)) {
        await visit(page, name);
        await page.getByText('Survival mode: a test of pages').waitFor();
      }
    } finally {
      await owner.ask('mutation ($teamId: ID!) { leaveSurvivalMode(teamId: $teamId) { id } }', {
        teamId: owner.teamId,
      });
    }
  });
});
