// plays, stores: any
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { useWorld } from '../support/world.ts';

describe('the dashboard without the clipboard of the browser', () => {
  const world = useWorld();
  const pages = usePages(world);

  it('copies a short URL all the same, and shows it where nothing may be copied', async () => {
    const page = await pages.open();
    // Plain http by the address of a machine.
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const { body } = await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'copied' });
    await page.goto('/app/links');
    const copy = page.getByRole('button', { name: /^Copy .*\/copied$/ });
    await copy.click();
    await page.getByText(/^Copied .*\/copied$/).waitFor();
    const reader = await page.context().newPage();
    await reader.goto('/app/links');
    expect(await reader.evaluate('navigator.clipboard.readText()')).to.equal(body.short_url);
    await page.bringToFront();
    await page.evaluate('document.execCommand = () => false');
    await copy.click();
    await page.getByText(`Copy this by hand: ${body.short_url}`).waitFor();
  });
});
