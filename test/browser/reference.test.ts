// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
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
import { pagesOf } from '../support/documentation.ts';
import { useWorld } from '../support/world.ts';

/** A page of each kind; all others have the same parts, some of them so many that axe takes a minute. */
const PAGES = ['/reference', '/reference/domains', '/reference/webhooks', '/reference/sdk', '/reference/guides/tour'];

const LOOKS = WINDOWS.filter(({ name }) => isThorough || name === '768-light' || UNLIKE.includes(name));

describe('the reference in a browser', () => {
  const world = useWorld();
  const pages = usePages(world);

  const openDetails = (page: Page) =>
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");

  for (const path of PAGES) {
    it(`${path}: accessible and as wide as the window, in three widths and two themes`, async () => {
      const page = await pages.open({ email: null });
      await page.goto(path);
      const name = path.slice(1).replaceAll('/', '-');
      for (const { name: look, viewport, colorScheme } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        if (UNLIKE.includes(look)) expect(await a11yProblems(page), look).to.deep.equal([]);
        else if (isThorough) expect(await a11yProblems(page, COLOURS), look).to.deep.equal([]);
        await page.evaluate('scrollTo(0, 0)');
        await screenshot(page, `${name}-${look}`);
        expect(await scrollsSideways(page), look).to.equal(false);
      }
    });
  }

  it('every page fits a narrow phone, and colours every block of code', async () => {
    const page = await pages.open({ email: null, viewport: { width: 320, height: 640 } });
    for (const path of await pagesOf(world)) {
      await page.goto(path);
      expect(await scrollsSideways(page), path).to.equal(false);
      const plain = await page.evaluate(
        `[...document.querySelectorAll('pre code')].filter((code) => /["']/.test(code.textContent) && !code.querySelector('span')).map((code) => code.textContent.slice(0, 80))`,
      );
      // Output of programs has no language.
      if (!path.includes('/guides/') && !/(cli|sdk|mcp)$/.test(path)) expect(plain, path).to.deep.equal([]);
    }
  });

  it('finds operations, events and codes by keyboard', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/reference');
    await page.keyboard.press('/');
    await page.keyboard.type('create link');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByRole('link', { name: 'Create a link' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/reference/links#createLink');
    await page.keyboard.press('/');
    await page.keyboard.type('slug_taken');
    await results.getByRole('link', { name: 'slug_taken' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/reference#error-slug_taken');
    await page.keyboard.press('/');
    await page.keyboard.type('there is no such thing');
    await page.getByText('Nothing found.').waitFor();
  });

  it('shows the samples of the chosen language, and remembers it', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/reference/links');
    const shown = () => page.getByText("from 'SVC-Client'").filter({ visible: true }).count();
    expect(await shown()).to.equal(0);
    await page.getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).to.be.greaterThan(5);
    await page.goto('/reference/tags');
    await page.getByRole('radio', { name: 'TypeScript', checked: true }).waitFor({ state: 'attached' });
    expect(await shown()).to.be.greaterThan(2);
  });

  it('leads through its pages by keyboard on a phone', async () => {
    const page = await pages.open({ email: null, viewport: { width: 390, height: 844 } });
    await page.goto('/reference');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to the text' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Webhooks', exact: true })
      .press('Enter');
    await page.waitForURL('**/reference/webhooks');
  });

  it('shows what an address leads to below everything that stays in place', async () => {
    for (const width of [390, 768, 1440]) {
      const page = await pages.open({ email: null, viewport: { width, height: 900 } });
      await page.goto('/reference/webhooks#verify');
      const heading = page.getByRole('heading', { name: 'Verifying a signature' });
      await heading.waitFor();
      const hidden = `[...document.querySelectorAll('header, main > .choice')]
        .filter((element) => getComputedStyle(element).position === 'sticky')
        .map((element) => element.getBoundingClientRect().bottom)`;
      const bottoms = (await page.evaluate(hidden)) as number[];
      expect((await heading.boundingBox())?.y, `${width}`).to.be.at.least(Math.max(...bottoms));
    }
  });

  it('opens folded fields that an address leads to, and prints everything on white', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/reference/webhooks#event-link.clicked');
    await page.getByRole('heading', { name: 'link.clicked' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).to.equal(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).to.equal('rgb(255, 255, 255)');
    await screenshot(page, 'reference-print');
  });

  it('is read without JavaScript', async () => {
    const page = await pages.open({ email: null, javaScriptEnabled: false });
    await page.goto('/reference/links');
    await page.getByRole('heading', { name: 'Create a link' }).waitFor();
    expect(await page.getByRole('searchbox').filter({ visible: true }).count()).to.equal(0);
    await page.getByText('Python', { exact: true }).first().click();
    expect(await page.getByText('import urllib.request').filter({ visible: true }).count()).to.be.greaterThan(5);
    const fields = page.locator('#createLink details', { hasText: 'Fields of utm' }).first();
    await fields.locator('summary').first().click();
    await page
      .locator('#createLink')
      .getByText('campaign', { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor();
  });

  it('stays accessible with everything unfolded', async () => {
    const page = await pages.open({ email: null });
    for (const path of ['/reference/tags', '/reference/analytics']) {
      await page.goto(path);
      await openDetails(page);
      expect(await a11yProblems(page), path).to.deep.equal([]);
    }
  });
});
