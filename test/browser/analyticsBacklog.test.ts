// plays, stores: any
import { expect } from 'chai';
import { storeClicks } from '../../src/clicks/clickStore.ts';
import { clock } from '../../src/kernel/clock.ts';
import { config } from '../../src/kernel/config.ts';
import { usePages } from '../support/browser.ts';
import { makeClick } from '../support/clicks.ts';
import { expectSound } from '../support/expectSound.ts';
import { firstTenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

describe('analytics while many clicks wait to be counted', () => {
  const world = useWorld();
  const pages = usePages(world);

  it('say until when the figures are complete', async () => {
    const mine = await firstTenant(world);
    const link = (await mine.api('POST', '/links', { destination: 'https://example.com/' })).body;
    const page = await pages.open();
    const load = async () => {
      await page.goto(`/app/analytics?project=${mine.projectId}`);
      await page.getByRole('heading', { name: 'Locations' }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    };
    const usual = config.analyticsBacklogClicks;
    config.analyticsBacklogClicks = 0;
    // The current quarter of an hour is in no block.
    const now = makeClick({ projectId: mine.projectId, linkId: link.id, occurredAt: clock.now() });
    await storeClicks([now], { listening: () => false });
    try {
      await load();
      await expectSound(page, 'as-of', () =>
        page.getByRole('status').filter({ hasText: 'Every click up to' }).waitFor(),
      );
    } finally {
      config.analyticsBacklogClicks = usual;
    }
    await load();
    expect(await page.getByText('Every click up to').count()).to.equal(0);
  });
});
