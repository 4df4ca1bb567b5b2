// plays, stores: any
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { inTransaction } from '../../src/db/transactions.ts';
import { flagLink } from '../../src/links/flagService.ts';
import { Link } from '../../src/models/Link.ts';
import { a11yProblems, scrollsSideways, usePages } from '../support/browser.ts';
import { newMember, theOwner } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

const HOSTILE = '"><img src=x onerror=alert(1)>';
const LINKS = 250;
const APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };
const HOUR_MS = 3_600_000;
/** Changes that nobody may be offered who may not make them. */
const CHANGING = /^(Archive|Delete|Add tags|More|Import|Edit|Unarchive)$/;

describe('the list of links at the dashboard', () => {
  const world = useWorld();
  const pages = usePages(world);
  const ids = new Map<string, string>();

  const idOf = (number: number) => ids.get(`list-${number}`) ?? '';
  const goToLink = (page: Page, number: number) => page.goto(`/app/links/${idOf(number)}`);
  const rowLinks = (page: Page) => page.getByRole('link', { name: /\/list-\d+$/ });
  const isFocused = async (locator: Locator) => (await locator.and(locator.page().locator(':focus')).count()) === 1;
  const checkAccess = async (page: Page, state: string) => {
    expect(await a11yProblems(page), state).to.deep.equal([]);
    expect(await scrollsSideways(page), state).to.equal(false);
  };

  before(async () => {
    const [project] = (await world.api('GET', '/projects')).body.data;
    await world.api('PATCH', `/projects/${project.id}`, { apps: [APP] });
    const links = Array.from({ length: LINKS }, (_, number) => ({
      destination: number === 0 ? 'myapp://open/here' : `https://example.com/${number}`,
      slug: `list-${number}`,
      title: number === 1 ? HOSTILE : `Title ${number}`,
      tags: [...(number % 2 ? ['odd'] : ['even']), ...(number < 5 ? ['few', HOSTILE] : [])],
    }));
    const { body } = await world.api('POST', '/links/bulk', { links });
    expect(body.counts).to.deep.equal({ created: LINKS, failed: 0 });
    for (const { link } of body.results) ids.set(link.slug, link.id);
  });

  it('searches while somebody writes, and what was chosen survives a reload', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    await page.getByRole('searchbox').pressSequentially('example.com', { delay: 60 });
    await page.waitForURL(/search=example\.com/);
    await page.getByText('249 links', { exact: true }).waitFor();
    expect(await isFocused(page.getByRole('searchbox'))).to.equal(true);
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    await page.getByRole('checkbox', { name: /^few/ }).check();
    await page.waitForURL(/tag=few/);
    await page.getByText('4 links', { exact: true }).waitFor();
    await checkAccess(page, 'an open filter');
    await page.reload();
    await page.getByRole('button', { name: 'Tags: few' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).to.equal('example.com');
    await page.getByText(HOSTILE, { exact: true }).first().waitFor();
    expect(await rowLinks(page).count()).to.equal(4);
    expect(await page.locator('img[src="x"]').count()).to.equal(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('250 links', { exact: true }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).to.equal('');
  });

  it('tags a range that was selected with Shift, and takes it back', async () => {
    const page = await pages.open();
    await page.goto('/app/links?tag=few');
    const boxes = page.getByRole('checkbox', { name: /^Select .*\/list-/ });
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 links selected').waitFor();
    await checkAccess(page, 'the selection');
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('ranged');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('3 links updated').waitFor();
    expect((await world.api('GET', '/links?tag=ranged')).body.data).to.have.length(3);
    // A colleague's tag, given meanwhile, survives the way back.
    const [{ id }] = (await world.api('GET', '/links?tag=ranged')).body.data;
    await world.api('PATCH', '/links/bulk', { ids: [id], add_tags: ['meanwhile'] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 links restored').waitFor();
    expect((await world.api('GET', '/links?tag=ranged')).body.data).to.have.length(0);
    expect((await world.api('GET', '/links?tag=meanwhile')).body.data).to.have.length(1);
    const batches = (await world.api('GET', '/events?type=links.imported&limit=3')).body.data;
    expect(batches.map(({ data }: { data: { counts: unknown } }) => data.counts)).to.deep.equal([
      { updated: 3, failed: 0 },
      { updated: 1, failed: 0 },
      { updated: 3, failed: 0 },
    ]);
    expect((await world.api('GET', '/links?tag=few')).body.data).to.have.length(5);
  });

  it('goes on with many links after the store was away for a moment', async () => {
    const page = await pages.open();
    const away = { code: 'unavailable', retryAfterSeconds: 0.2 };
    let refused = 0;
    await page.route('**/graphql', async (route) => {
      const isFirst = /mutation Bulk|query FoundLinks/.test(route.request().postData() ?? '') && refused++ % 2 === 0;
      if (isFirst) await route.fulfill({ json: { errors: [{ message: 'Away for a moment.', extensions: away }] } });
      else await route.fallback();
    });
    await page.goto('/app/links?tag=odd');
    await page.getByText('125 links', { exact: true }).waitFor();
    await page
      .getByRole('checkbox', { name: /^Select .*\/list-/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Select all 125 found' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('125 links archived').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('125 links restored').waitFor();
    // Each of two pages that were collected, the change, and the way back.
    expect(refused).to.equal(2 * 4);
    expect((await world.api('GET', '/links?tag=odd&status=archived')).body.data).to.have.length(0);
  });

  it('hides a column and remembers it, and copies a short URL', async () => {
    const page = await pages.open();
    await page.goto('/app/links?tag=few');
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('checkbox', { name: 'Tags' }).uncheck();
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Tags' }).count()).to.equal(0);
    await page.getByRole('button', { name: /^Copy .*\/list-3$/ }).click();
    await page.getByText(/^Copied .*\/list-3$/).waitFor();
    const { body } = await world.api('GET', `/links/${idOf(3)}`);
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(body.short_url);
  });

  it('leads back from a link to the same place among the same rows, and asks nothing', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    await page.getByText('250 links', { exact: true }).waitFor();
    const bottom = page.locator(`[aria-rowindex="${LINKS}"]`);
    // The page grows as rows are measured: its end has been reached when it is the same twice.
    let place = -1;
    for (let before = -2; place !== before || (await bottom.count()) === 0; ) {
      before = place;
      await page.waitForTimeout(100);
      place = (await page.evaluate('scrollTo(0, document.body.scrollHeight), scrollY')) as number;
    }
    const name = (await bottom.getByRole('link').textContent()) ?? '';
    let asked = 0;
    page.on('request', (request) => {
      if (/query (Links|LinkFacets)\b/.test(request.postData() ?? '')) asked += 1;
    });
    await bottom.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name, exact: true }).waitFor();
    expect(await page.evaluate('scrollY')).to.be.closeTo(place, 60);
    expect(asked).to.equal(0);
  });

  it('is walked, selected, opened and edited by keys', async () => {
    const page = await pages.open();
    await page.goto('/app/links?tag=few');
    await rowLinks(page).nth(4).waitFor();
    const focused = async (at: number) => {
      await rowLinks(page).nth(at).and(page.locator(':focus')).waitFor();
    };
    await page.keyboard.press('j');
    await focused(0);
    await page.keyboard.press('j');
    await focused(1);
    await page.keyboard.press('j');
    await focused(2);
    await page.keyboard.press('k');
    await focused(1);
    await page.keyboard.press('x');
    await page.getByText('1 link selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 link selected').waitFor({ state: 'detached' });
    const name = (await rowLinks(page).nth(1).textContent()) ?? '';
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goBack();
    await rowLinks(page).nth(4).waitFor();
    await page.keyboard.press('j');
    await focused(0);
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: /^Edit / }).waitFor();
  });

  it('offers a viewer nothing that would be refused', async () => {
    const owner = await theOwner(world);
    const viewer = await newMember(world, owner, owner.teamId, 'viewer');
    const page = await pages.open({ cookie: viewer.cookie });
    const usable = () => page.locator('main button:not([aria-disabled="true"])').filter({ hasText: CHANGING }).count();
    await page.goto('/app/links?tag=few');
    await page.getByRole('checkbox', { name: /^Select .*\/list-3/ }).click();
    await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Export' }).waitFor();
    expect(await usable()).to.equal(0);
    await page.getByRole('button', { name: /^Actions for .*\/list-3$/ }).click();
    await page.getByRole('menuitem', { name: 'Copy short URL' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^(Edit|Duplicate|Archive|Delete)$/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    // Keys change nothing either.
    await rowLinks(page).first().focus();
    for (const key of ['a', 'Delete', 'e']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(page.url()).to.match(/\/links\?tag=few$/);
    await goToLink(page, 3);
    await page.getByText('https://example.com/3').first().waitFor();
    expect(await usable()).to.equal(0);
  });

  it('loads each part of a link’s page, and shows what is no web page as text', async () => {
    // What was created in bulk has no event and no entry of its own.
    await world.api('PATCH', `/links/${idOf(0)}`, { data: { written: 'later' } });
    const page = await pages.open();
    await goToLink(page, 0);
    const main = page.getByRole('main');
    await main.getByText('myapp://open/here').first().waitFor();
    expect(await page.locator('a[href^="myapp:"]').count()).to.equal(0);
    await checkAccess(page, 'a link');
    const parts: [string, Locator][] = [
      ['Where visitors go', main.getByText('They are sent to').first()],
      ['Clicks', main.getByText('No clicks yet.')],
      ['Installs', main.getByText('No installs from this link yet.')],
      ['Events', main.getByText('link.updated').first()],
      ['History', main.getByText(/First secret key/).first()],
      ['Analytics', main.getByText('Visitors').first()],
    ];
    const tabs = page.getByRole('navigation', { name: 'Parts of the link' });
    for (const [name, sign] of parts) {
      await tabs.getByRole('link', { name, exact: true }).click();
      await sign.waitFor();
    }
  });

  it('says why a link does not redirect, and what remains of a deleted one', async () => {
    const page = await pages.open();
    await world.api('POST', `/links/${idOf(10)}/archive`);
    await goToLink(page, 10);
    await page.getByText('This link is archived').waitFor();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByText('This link is archived').waitFor({ state: 'detached' });
    expect((await world.api('GET', `/links/${idOf(10)}`)).body.status).to.equal('active');
    const expired = { expiresAt: new Date(Date.now() - HOUR_MS) };
    await inTransaction((transaction) => Link.update(expired, { where: { id: idOf(11) }, transaction }));
    await goToLink(page, 11);
    await page.getByText('This link has expired').waitFor();
    await page.getByRole('button', { name: 'Change limits' }).waitFor();
    await flagLink(idOf(12), 'reported as phishing');
    await goToLink(page, 12);
    await page.getByText('This link is blocked as dangerous').waitFor();
    await page.getByText('reported as phishing').waitFor();
    await page.getByRole('button', { name: 'Request a review' }).click();
    await page
      .getByRole('main')
      .getByText(/^Review requested/)
      .waitFor();
    await checkAccess(page, 'a blocked link');
    await world.api('DELETE', `/links/${idOf(13)}`);
    pages.expectFault('404');
    await goToLink(page, 13);
    await page.getByRole('heading', { name: /list-13 was deleted/ }).waitFor();
    await page.getByRole('link', { name: 'See its analytics' }).waitFor();
  });

  it('is accessible on a phone: a filter, the selection, a link', async () => {
    const page = await pages.open({ viewport: { width: 390, height: 844 } });
    await page.goto('/app/links?tag=few');
    await page.getByRole('checkbox', { name: /^Select .*\/list-3/ }).click();
    await page.getByText('1 link selected').waitFor();
    await checkAccess(page, 'the selection');
    await page.getByRole('button', { name: 'Tags: few' }).click();
    await page.getByRole('checkbox', { name: /^odd/ }).waitFor();
    await checkAccess(page, 'an open filter');
    await goToLink(page, 0);
    await page.getByRole('main').getByText('Visitors').first().waitFor();
    await checkAccess(page, 'a link');
  });
});
