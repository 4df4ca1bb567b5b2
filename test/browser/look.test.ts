// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { useWorld } from '../support/world.ts';

describe('the look of the dashboard is chosen', () => {
  const world = useWorld();
  const pages = usePages(world);

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

  it('by theme, rows, zone and shortcuts, at once and for the next visit', async () => {
    const page = await pages.open();
    await page.goto('/app/account/look');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await page.getByRole('radio', { name: 'Same as system' }).check();
    await page.getByRole('radio', { name: 'Compact' }).check();
    await page.getByText('Saved in this browser').first().waitFor();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Apia');
    await page.getByRole('option', { name: 'Pacific/Apia' }).click();
    await button(page, /^Use the browser’s: Europe\/Berlin/).waitFor();
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
    await page.reload();
    await expectSound(page, 'look', () => page.getByRole('radio', { name: 'Compact' }).waitFor());
    expect(await page.getByRole('radio', { name: 'Compact' }).isChecked()).to.equal(true);
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).to.equal('Pacific/Apia');
    await page.keyboard.press('c');
    await button(page, /^Use the browser’s/).click();
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).to.equal('Europe/Berlin');
    expect(new URL(page.url()).pathname).to.equal('/app/account/look');
    await page.goto('/app/links');
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
  });

  it('by language, and say it in that language after a reload', async () => {
    const page = await pages.open();
    await page.goto('/app/account/look');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await Promise.all([page.waitForEvent('load'), page.getByRole('option', { name: 'English' }).click()]);
    await page.getByRole('heading', { name: 'Look and language', level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Language' }).inputValue()).to.equal('English');
  });

  it('from the menu of the person', async () => {
    const page = await pages.open();
    await page.goto('/app/account');
    await button(page, 'Your account').click();
    await page.getByRole('menuitem', { name: 'Look and language' }).click();
    await page.getByRole('heading', { name: 'Look and language', level: 1 }).waitFor();
  });
});
