import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { a11yProblems, screenshot, scrollsSideways, UNLIKE, WINDOWS } from './browser.ts';

/** A phone in the dark and a desk in the light. */
const LOOKS = WINDOWS.filter(({ name }) => UNLIKE.includes(name));

/**
 * Axe finds nothing, and nothing is wider than the window, on a phone in the dark and on a desk in the light. The page is
 * loaded once; `ready` waits for what is shown in each window. It is left as on the desk.
 */
export async function expectSound(page: Page, name: string, ready?: () => Promise<unknown>): Promise<void> {
  for (const { name: look, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await ready?.();
    expect(await a11yProblems(page), `${name} ${look}`).to.deep.equal([]);
    await screenshot(page, `${name}-${look}`);
    expect(await scrollsSideways(page), `${name} ${look}`).to.equal(false);
  }
}
