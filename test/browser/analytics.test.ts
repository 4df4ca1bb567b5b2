// plays, stores: any
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { storeClicks } from '../../src/clicks/clickStore.ts';
import { clock } from '../../src/kernel/clock.ts';
import { a11yProblems, screenshot, scrollsSideways, usePages } from '../support/browser.ts';
import { makeClick } from '../support/clicks.ts';
import { firstTenant, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const HOUR_MS = 3_600_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const HOSTILE = '<img src=x onerror=alert(1)>';
const FORMULA = '=HYPERLINK("https://evil.example")';

describe('analytics in a browser', () => {
  const world = useWorld();
  const pages = usePages(world);
  let mine: Tenant;
  let link: { id: string; slug: string };
  let address: (search?: string) => string;

  before(async () => {
    mine = await firstTenant(world);
    link = (await mine.api('POST', '/links', { destination: 'https://example.com/', slug: 'analytics-page' })).body;
    address = (search = '') => `/app/analytics?project=${mine.projectId}${search}`;
    const at = (hoursAgo: number, values: object = {}) =>
      makeClick({
        projectId: mine.projectId,
        linkId: link.id,
        occurredAt: clock.now() - hoursAgo * HOUR_MS,
        ...values,
      });
    const utm = (campaign: string) => ({ source: null, medium: null, campaign, term: null, content: null });
    await storeClicks(
      [
        ...[...Array(6).keys()].map((n) =>
          at(2 + n, { country: 'DE', referrerHost: 'news.example', visitor: `a${n}` }),
        ),
        ...[...Array(3).keys()].map((n) => at(30 + n, { country: 'AT', referrerHost: HOSTILE, utm: utm(FORMULA) })),
        at(50, { country: null, utm: utm('a, b') }),
        at(20, { trafficClass: 'bot' }),
        at(24 * 9, { country: 'FR' }),
      ],
      { listening: () => false },
    );
  });

  async function open(search = '', options: Parameters<typeof pages.open>[0] = {}): Promise<Page> {
    const page = await pages.open(options);
    await page.goto(address(search));
    await isReady(page);
    return page;
  }

  async function isReady(page: Page): Promise<void> {
    await page.getByRole('heading', { name: 'Locations' }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  const figure = (page: Page, name: string) =>
    page.locator('dl > div').filter({ hasText: name }).locator('dd > span').first().textContent();
  const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('filters by a click, leaves out by Alt and a click, and clears with Escape', async () => {
    const page = await open();
    expect(await figure(page, 'Clicks')).to.equal('10');
    await row(page, 'Germany').click();
    await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('country')).to.equal('DE');
    await page.locator('dl dd').getByText('6', { exact: true }).first().waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('Escape');
    await row(page, 'Austria').click({ modifiers: ['Alt'] });
    await page.getByRole('button', { name: 'Country is not Austria', exact: true }).waitFor();
    await page.locator('dl dd').getByText('7', { exact: true }).first().waitFor();
  });

  it('leaves out by keyboard, and changes a filter from its chip', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Actions for news.example' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Exclude this value' }).press('Enter');
    await page.getByRole('button', { name: 'Referrer is not news.example', exact: true }).press('Enter');
    await page.getByText('is', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Values' }).fill('img');
    // Markup is an option like any other.
    await page.getByRole('option', { name: HOSTILE }).click();
    // The list of values lies over the button until the focus moves on.
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByRole('button', { name: `Referrer is news.example, ${HOSTILE}`, exact: true }).waitFor();
    expect(await page.locator('main img').count()).to.equal(0);
  });

  it('filters by exactly a value with a comma, and by what is unknown', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Campaign', exact: true }).click();
    await page.getByText('a, b', { exact: true }).waitFor();
    expect(await page.getByText('Unknown', { exact: true }).count()).to.be.greaterThan(1);
    await row(page, 'a, b').click();
    await page.waitForURL(/utm_campaign=/);
    await page.getByRole('button', { name: 'UTM campaign is a, b', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('utm_campaign')).to.equal('a\\, b');
  });

  it('zooms by keys, by dragging and by buttons, and back', async () => {
    const page = await open('&interval=7d');
    const chart = page.getByRole('application');
    await chart.focus();
    await page.keyboard.press('End');
    await page.getByRole('status').filter({ hasText: 'incomplete' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('[');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(']');
    await page.waitForURL(/start=/);
    await isReady(page);
    const { searchParams } = new URL(page.url());
    expect(Date.parse(searchParams.get('end') ?? '') - Date.parse(searchParams.get('start') ?? '')).to.be.below(
      49 * HOUR_MS,
    );
    await page.getByRole('button', { name: 'Interval: By hour' }).waitFor();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.waitForURL(/interval=7d/);
    await page.getByRole('button', { name: 'Interval: By day' }).waitFor();
    const box = (await chart.boundingBox()) ?? expect.fail();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/start=/);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom out' }).click();
  });

  it('says in a table what the chart shows, and compares only when told to', async () => {
    const page = await open('&interval=7d');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor();
    expect(await page.getByRole('row').count()).to.equal(9);
    await page.getByText(/vs\. /).first().waitFor();
    await page.getByLabel('Compare with previous period').uncheck();
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor({ state: 'detached' });
    expect(await page.getByText(/vs\. /).count()).to.equal(0);
    expect(new URL(page.url()).searchParams.get('compare')).to.equal('false');
  });

  for (const zone of ['Asia/Kolkata', 'Pacific/Apia']) {
    it(`has the days and figures of the API in ${zone}`, async () => {
      const page = await open('&interval=7d&compare=false', { timezoneId: zone });
      await page.getByRole('button', { name: 'Table' }).click();
      const shown = await page
        .locator('tbody tr')
        .evaluateAll((rows) =>
          (rows as { cells: { textContent: string | null }[] }[]).map(({ cells }) => [
            cells[0]?.textContent,
            cells[1]?.textContent,
          ]),
        );
      const { body } = await mine.api('GET', `/analytics?interval=7d&group_by=time&granularity=day&timezone=${zone}`);
      const days = new Intl.DateTimeFormat('en-US', {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: zone,
      });
      const wanted = body.data.map(({ key, count }: { key: string; count: number }) => [
        days.format(new Date(key)),
        String(count),
      ]);
      expect(shown.map(([day, count]) => [day?.replace(' (incomplete)', ''), count])).to.deep.equal(wanted);
    });
  }

  it('opens what an alert links to, with its span marked, also after signing in', async () => {
    const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
    const iso = (hoursAgo: number) => new Date(hour - hoursAgo * HOUR_MS).toISOString();
    const alert = `&group_by=time&granularity=hour&start=${iso(27)}&end=${iso(0)}&link=${link.id}&traffic_class=bot,scanner`;
    const page = await pages.open({ email: null });
    await page.goto(address(alert));
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(world.password);
    await page.keyboard.press('Enter');
    await isReady(page);
    await page
      .getByRole('button', { name: /Link is .*analytics-page/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Traffic type is Bot, Link scanner' }).first().waitFor();
    await page.getByText('What the alert is about').waitFor();
    expect(await figure(page, 'Clicks')).to.equal('1');
    await page.getByRole('button', { name: 'Interval: By hour' }).waitFor();
  });

  it('opens a whole card with shares, searches it, and gives a CSV that no spreadsheet computes', async () => {
    const page = await open(`&utm_campaign=${encodeURIComponent(FORMULA)}`);
    await page.getByRole('button', { name: 'Campaign', exact: true }).click();
    await page.getByRole('button', { name: 'View all: UTM campaign' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('100%').waitFor();
    const download = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Download CSV' }).click();
    const csv = await readFile((await (await download).path()) ?? '', 'utf8');
    expect(csv).to.include(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(csv).to.include(',3,100');
    await sheet.getByLabel('Search this list').fill('nothing like it');
    await sheet.getByText('No matches').waitFor();
  });

  it('shows a click as it happens, and why a program is none of the people', async () => {
    const page = await open();
    await page.getByText('Clicks appear here as they happen.').waitFor();
    await fetch(`${world.origin}/${link.slug}`, { redirect: 'manual', headers: { 'User-Agent': CHROME } });
    await fetch(`${world.origin}/${link.slug}`, { redirect: 'manual', headers: { 'User-Agent': 'curl/8.0' } });
    const live = page.getByRole('listitem').filter({ hasText: 'analytics-page' });
    await live.getByText('Person').waitFor();
    await live.getByText(/The User-Agent is that of/).waitFor();
  });

  it('asks three operations, and shows what failed with a way to try again', async () => {
    const page = await pages.open();
    const operations: string[] = [];
    page.on('request', (request) => {
      const operation = request.url().endsWith('/graphql') ? (request.postData() ?? '') : '';
      // The bell of the frame asks for itself.
      if (operation && !operation.includes('OpenAlerts')) operations.push(operation);
    });
    await page.goto(address());
    await isReady(page);
    expect(operations).to.have.length(3);
    pages.expectFault('/graphql');
    pages.expectFault('500');
    await page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('AnalyticsBreakdowns')
        ? route.fulfill({ status: 500, json: { errors: [{ message: 'Broken', extensions: { code: 'broken' } }] } })
        : route.continue(),
    );
    await page.reload();
    await page.getByRole('alert').getByText('Broken').waitFor();
    expect(await figure(page, 'Visitors')).to.match(/^\d+$/);
    expect(await a11yProblems(page)).to.deep.equal([]);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await isReady(page);
  });

  for (const width of [390, 1440]) {
    it(`is accessible with filters, dialogs and nothing to show, ${width}`, async () => {
      const page = await open('&country=-AT', { viewport: { width, height: 844 } });
      const check = async (state: string) => {
        await screenshot(page, `analytics-${state}-${width}`);
        expect(await a11yProblems(page), state).to.deep.equal([]);
        expect(await scrollsSideways(page), state).to.equal(false);
      };
      await check('filtered');
      await page.getByRole('button', { name: 'View all: Country' }).click();
      await page.getByRole('dialog').getByText('Germany').waitFor();
      await check('all');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Country is not Austria', exact: true }).click();
      await page.getByRole('combobox', { name: 'Values' }).waitFor();
      await check('filter');
      await page.goto(address('&country=JP'));
      await page.getByText('No data for this range.').first().waitFor();
      await isReady(page);
      await check('empty');
    });
  }
});
