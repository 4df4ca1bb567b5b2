// stores: any
import { expect } from 'chai';
import { storeClicks } from '../../src/clicks/clickStore.ts';
import { clock } from '../../src/kernel/clock.ts';
import { config } from '../../src/kernel/config.ts';
import {
  a11yProblems,
  COLOURS,
  isThorough,
  screenshot,
  scrollsSideways,
  UNLIKE,
  usePages,
  WINDOWS,
} from '../support/browser.ts';
import { makeClick } from '../support/clicks.ts';
import { firstTenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

describe('analytics while many clicks wait to be counted', () => {
  const world = useWorld();
  const pages = usePages(world);

  it('say until when the figures are complete', async () => {
    const mine = await firstTenant(world);
    const link = (await mine.api('POST', '/links', { destination: 'https://example.com/' })).body;
    const open = async (look: Parameters<typeof pages.open>[0] = {}) => {
      const page = await pages.open(look);
      await page.goto(`/app/analytics?project=${mine.projectId}`);
      await page.getByRole('heading', { name: 'Locations' }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      return page;
    };
    const usual = config.analyticsBacklogClicks;
    config.analyticsBacklogClicks = 0;
    // The current quarter of an hour is in no block.
    const now = makeClick({ projectId: mine.projectId, linkId: link.id, occurredAt: clock.now() });
    await storeClicks([now], { listening: () => false });
    try {
      for (const { name, ...look } of isThorough ? WINDOWS : WINDOWS.filter(({ name }) => UNLIKE.includes(name))) {
        const page = await open(look);
        await page.getByRole('status').filter({ hasText: 'Every click up to' }).waitFor();
        expect(await scrollsSideways(page)).to.equal(false);
        expect(await a11yProblems(page, COLOURS)).to.deep.equal([]);
        await screenshot(page, `as-of-${name}`);
      }
    } finally {
      config.analyticsBacklogClicks = usual;
    }
    const page = await open();
    expect(await page.getByText('Every click up to').count()).to.equal(0);
  });
});
