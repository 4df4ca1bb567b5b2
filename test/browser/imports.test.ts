// plays, stores: any
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { a11yProblems, scrollsSideways, usePages } from '../support/browser.ts';
import { memberSession } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
/** One row that is good, one that is not, and a column that nobody knows. */
const CSV = `destination,slug,title,${HOSTILE.replaceAll('"', "'")}\nhttps://example.com/in,import-good,Good,x\nnot a url,import-bad,${HOSTILE.replaceAll('"', '')},x\n`;
const file = (text: string | Buffer, name = 'links.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

describe('the pages of imports', () => {
  const world = useWorld();
  const pages = usePages(world);

  const expectClean = async (page: Page) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await a11yProblems(page)).to.deep.equal([]);
      expect(await scrollsSideways(page)).to.equal(false);
    }
  };
  const check = async (page: Page, given: ReturnType<typeof file>) => {
    await page.goto('/app/imports/new');
    await page.locator('input[type="file"]').setInputFiles(given);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('heading', { name: 'File check' }).waitFor();
  };

  it('checks a file first, then imports it, and lists the row that fails', async () => {
    const page = await pages.open();
    await page.goto('/app/imports');
    await page.getByText('No imports yet').waitFor();
    await expectClean(page);
    await page.getByRole('button', { name: 'New import' }).first().click();
    await page.getByText('We expect these columns').waitFor();
    expect(await page.getByRole('button', { name: 'Check file' }).isDisabled()).to.equal(true);
    await expectClean(page);

    await check(page, file(CSV));
    await page.getByRole('link', { name: 'Would be created (1)' }).waitFor();
    await page.getByText('We don’t know these columns and ignore them').waitFor();
    await page.getByText('File check finished: 1 would be created or updated, 1 would fail.').waitFor();
    expect((await world.api('GET', '/links')).body.data).to.deep.equal([]);
    await page.getByRole('link', { name: 'Would fail (1)' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Would fail' });
    await row.getByText('destination', { exact: true }).waitFor();
    expect(await row.getByRole('cell').first().textContent()).to.include('3');
    await expectClean(page);

    await page.getByRole('button', { name: 'Import for real' }).click();
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Created (1)' }).waitFor();
    await page.getByRole('link', { name: 'Failed (1)' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download failed rows' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).to.include('3,failed,');
    await expectClean(page);
    expect((await world.api('GET', '/links')).body.data.map(({ slug }: { slug: string }) => slug)).to.deep.equal([
      'import-good',
    ]);
    expect(await page.title()).to.not.equal('1');
    expect(await page.locator('img').count()).to.equal(0);
  });

  it('tells on another page that an import has ended, and leads back to it', async () => {
    const page = await pages.open();
    // However slow this machine is: the file is checked until the page was left.
    let isLeft = false;
    await page.route('**/graphql', async (route) => {
      if (isLeft || !/query Import\b/.test(route.request().postData() ?? '')) return route.continue();
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { data: { import: { ...body.data.import, status: 'running' } } } });
    });
    await check(page, file('destination,slug\nhttps://example.com/1,watched\n'));
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    isLeft = true;
    // A toast under the pointer stays.
    await page.getByText('File check finished: 1 would be created or updated, 0 would fail.').hover();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('heading', { name: 'File check' }).waitFor();
  });

  it('says why a file cannot be imported, and asks for the file again after a reload', async () => {
    const page = await pages.open();
    await page.goto('/app/imports/new');
    pages.expectFault(/^4\d\d: .*\/graphql\/imports/);
    pages.expectFault('Failed to load resource');
    await page.locator('input[type="file"]').setInputFiles(file(Buffer.alloc(0)));
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('alert').waitFor();
    await expectClean(page);

    await check(page, file('destination\nhttps://example.com/again\n'));
    await page.getByRole('button', { name: 'Import for real' }).waitFor();
    await page.reload();
    await page.getByText('Choose the file again to import it').waitFor();
    expect(await page.getByRole('button', { name: 'Import for real' }).isDisabled()).to.equal(true);
    await page.locator('input[type="file"]').setInputFiles(file('destination\nhttps://example.com/again\n'));
    await page.getByRole('button', { name: 'Import for real' }).click();
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Created (1)' }).waitFor();
  });

  it('lets viewers look, and says why they cannot import', async () => {
    const teamId = (await world.api('GET', '/team')).body.id;
    const cookie = await memberSession(world, teamId, 'viewer');
    const page = await pages.open({ cookie });
    await page.goto('/app/imports');
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'New import' }).first().focus();
    await page.getByText('Your role (').waitFor();
    await page.goto('/app/imports/new');
    expect(await page.getByRole('button', { name: 'Check file' }).getAttribute('aria-disabled')).to.equal('true');
  });
});
