// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { makeHook } from '../support/makeHook.ts';
import { raiseEvents } from '../support/raiseEvents.ts';
import { firstTenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

const HOUR_MS = 3_600_000;
/** Within which events have got their deliveries, on a busy machine too. */
const OUTBOX_MS = 120_000;

/** What pages say is true; each of these said something else once. */
describe('statements of the dashboard', () => {
  const world = useWorld();
  const pages = usePages(world);

  const textOf = (page: Page) => page.getByRole('main').textContent();
  const make = (body: object = {}) => createLink(world.api, { destination: 'https://example.com/', ...body });
  const openLink = async (link: MadeLink, search = '') => {
    const page = await pages.open();
    await page.goto(`/app/links/${link.id}${search}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };

  it('call an active link live, and no expired, scheduled or archived one', async () => {
    const [past, future] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString());
    const archived = await make();
    await world.api('POST', `/links/${archived.id}/archive`);
    const rows: [string, MadeLink][] = [
      ['Live', await make()],
      ['Expired', await make({ expires_at: past })],
      ['Scheduled', await make({ starts_at: future })],
      ['Archived', archived],
    ];
    for (const [state, link] of rows) {
      const page = await openLink(link);
      const said = page.getByText(`${state} · No clicks yet`, { exact: true });
      await said.waitFor();
      expect(await page.locator('[data-open]').filter({ has: said }).count(), state).to.equal(state === 'Live' ? 1 : 0);
    }
  });

  it('say of a secret of a webhook where it can be read again', async () => {
    const page = await pages.open();
    await page.goto('/app/webhooks/new');
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:4999/hook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const text = await textOf(page);
    expect(text).to.contain('can read it again later').and.to.contain('/secret');
    expect(text).not.to.contain('cannot be shown again');
  });

  it('show the store as where people without the app are sent, not as the app', async () => {
    const { projectId } = await firstTenant(world);
    const app = { platform: 'ios', bundle_id: 'com.example.shop', team_id: 'ABCDE12345', scheme: 'myapp' };
    await world.api('PATCH', `/projects/${projectId}`, { apps: [{ ...app, app_store_id: '123456789' }] });
    const link = await make({ routing: { open_app: true, ios: { fallback: 'store' } } });
    const page = await openLink(link, '?tab=routing');
    await page.getByRole('button', { name: 'iPhone' }).first().click();
    const outcome = page.getByRole('status').filter({ hasText: 'https://apps.apple.com/' });
    expect(await outcome.textContent()).to.contain('The app opens if it is installed; without it they are sent to');
  });

  it('ask for what is missing in a rule, not for the destination that is there', async () => {
    const page = await pages.open();
    await page.goto('/app/links/new');
    await page.getByText('Enter a destination to see where visitors go.').waitFor();
    await page.getByLabel('Destination').first().fill('https://example.com/');
    await page.locator('summary').filter({ hasText: 'Routing rules' }).first().click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Complete what is still missing in the form').waitFor();
    expect(await textOf(page)).not.to.contain('Enter a destination to see');
  });

  it('offer what a webhook that is off has missed, as many as its page says', async () => {
    const mine = await firstTenant(world);
    const hook = await makeHook(mine.api, { url: 'http://127.0.0.1:4999/off', event_types: ['link.archived'] });
    await hook.act('disable');
    await raiseEvents(mine, 3, 'link.archived');
    const page = await pages.open();
    await until(
      async () => {
        await page.goto(`/app/webhooks/${hook.id}?tab=replay`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        return page
          .getByText('This sends 3 events.')
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      },
      'the three that were missed',
      OUTBOX_MS,
    );
    expect(await textOf(page)).to.match(/Missed since then\s*3 events/);
  });
});
