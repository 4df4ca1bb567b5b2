// stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { a11yProblems, screenshot, scrollsSideways, THEMES, usePages, VIEWPORTS } from '../support/browser.ts';
import { newMember, type SignedIn, theOwner } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const HOSTILE = '"><img src=x onerror=alert(1)>';

/** Ids of what the pages are about. */
interface Made {
  link: string;
  hook: string;
  imported: string;
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
  webhooks: () => '/webhooks',
  'new-webhook': () => '/webhooks/new',
  deliveries: ({ hook }) => `/webhooks/${hook}/deliveries`,
  'webhook-test': ({ hook }) => `/webhooks/${hook}?tab=test`,
  'webhook-settings': ({ hook }) => `/webhooks/${hook}?tab=settings`,
  'webhook-replay': ({ hook }) => `/webhooks/${hook}?tab=replay`,
  events: () => '/webhooks/events',
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
    made = { link: body.results[2].link.id, hook: hook.body.id, imported: started.body.id };
    for (const [what, id] of Object.entries(made)) expect(id, what).to.be.a('string');
  });

  after(() => receiver.close());

  async function visit(page: Page, name: string): Promise<void> {
    await page.goto(`/app${PAGES[name]?.(made)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    // What nothing is known of says so, and is looked at once, as `gone`.
    expect(await page.getByText('you may not see it').count(), name).to.equal(name === 'gone' ? 1 : 0);
  }

  for (const name of Object.keys(PAGES)) {
    it(`${name}: accessible and as wide as the window, in three widths and two themes`, async () => {
      const page = await pages.open();
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await visit(page, name);
        for (const viewport of VIEWPORTS) {
          const window = `${viewport.width}-${colorScheme}`;
          await page.setViewportSize(viewport);
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
          await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
          expect(await a11yProblems(page), window).to.deep.equal([]);
          // Charts are drawn anew a moment after the window has another width.
          await screenshot(page, `${name}-${window}`);
          expect(await scrollsSideways(page), window).to.equal(false);
        }
      }
    });
  }

  it('sends no request that is refused for a viewer', async () => {
    const viewer = await newMember(world, owner, owner.teamId, 'viewer');
    const page = await pages.open({ email: null });
    const [name = '', value = ''] = viewer.cookie.split('=');
    await page.context().addCookies([{ name, value, url: world.origin }]);
    for (const each of Object.keys(PAGES)) await visit(page, each);
  });

  it('works in survival mode without a request that is refused, and says so on every page', async () => {
    const enter =
      'mutation ($teamId: ID!, $reason: String!) { enterSurvivalMode(teamId: $teamId, reason: $reason) { id } }';
    await owner.ask(enter, { teamId: owner.teamId, reason: 'a test of pages' });
    try {
      const page = await pages.open();
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
