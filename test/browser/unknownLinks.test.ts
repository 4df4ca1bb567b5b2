// plays, stores: any
import { expect } from 'chai';
import { clock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { orphanInserter } from '../../src/redirect/orphanStore.ts';
import { a11yProblems, usePages } from '../support/browser.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

describe('unknown links in a browser', () => {
  const world = useWorld();
  const pages = usePages(world);
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
  });

  it('lists unknown links, and hands a slug and its domain to the form of a new link', async () => {
    const page = await pages.open();
    const { domain } = (await mine.api('POST', '/links', { destination: 'https://example.com/' })).body;
    const unknown = { region: null, city: null, platform: null, device: null, browser: null, language: null };
    await orphanInserter()([
      {
        ...unknown,
        id: newId('orp'),
        projectId: mine.projectId,
        domain,
        slug: 'no-such-slug',
        occurredAt: clock.now() - 60_000,
        trafficClass: 'human',
        country: null,
        referrerHost: null,
        visitor: 'visitor-1',
        count: 1,
      },
    ]);
    await page.goto(`/app/analytics/unknown-links?project=${mine.projectId}&interval=24h`);
    await page.getByRole('cell', { name: '/no-such-slug', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Date range: Last 24 hours' }).click();
    await page.getByRole('menuitemradio', { name: 'Last hour' }).click();
    await page.waitForURL(/interval=1h/);
    await page.getByRole('button', { name: /Create this link: .*\/no-such-slug/ }).click();
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    expect(await page.getByLabel('Slug').inputValue()).to.equal('no-such-slug');
  });

  it('says of a project without unknown links that there are none', async () => {
    const empty = await makeTenant(world, mine.teamId);
    const page = await pages.open();
    await page.goto(`/app/analytics/unknown-links?project=${empty.projectId}`);
    await page.getByText('No unknown links: Last 30 days').waitFor();
    expect(await a11yProblems(page)).to.deep.equal([]);
  });
});
