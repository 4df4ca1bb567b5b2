// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { a11yProblems, screenshot, scrollsSideways, usePages } from '../support/browser.ts';
import { newMember, theOwner } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('the overview in a browser', () => {
  const world = useWorld();
  const pages = usePages(world);
  let mine: Tenant;
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
  });

  const overview = (page: Page) => page.goto(`/app/?project=${mine.projectId}`);

  it('leads from nothing to the first click, webhook and request, and every step sees its own end', async () => {
    const page = await pages.open();
    await overview(page);
    await page.getByLabel('URL to shorten').waitFor();
    await page.keyboard.type('example.com/first-steps');
    await page.keyboard.press('Enter');
    const url = (await page.getByRole('link', { name: 'Open link' }).getAttribute('href')) ?? '';
    const follow = (agent: string) =>
      fetch(`${world.origin}${new URL(url).pathname}`, { redirect: 'manual', headers: { 'User-Agent': agent } });
    await follow('curl/8.0');
    await page.getByText(/Click received: Bot\. The User-Agent is that of/).waitFor();
    await follow(CHROME);
    await page.getByText('Click received: Person.').waitFor();
    await page.getByRole('button', { name: 'Next: Add a webhook' }).click();
    await page.getByLabel('Endpoint URL').fill('nonsense');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Endpoint URL').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.keyboard.press('Enter');
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Delivered: the endpoint answered').waitFor();
    expect(receiver.received.at(-1)?.event.test).to.equal(true);
    await page.getByRole('button', { name: 'Next: Call the API' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const key = (await page.getByText(/^sk_/).first().textContent()) ?? '';
    expect(await page.getByLabel('the curl command', { exact: true }).textContent()).to.include(key);
    const call = (path: string, body: object) =>
      fetch(`${world.origin}/api/v1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await call('/links', { destination: 'https://example.com' })).status).to.equal(201);
    await page.getByText('The first API request has arrived.').waitFor();
    // What was not stored yet is still there.
    await page.getByRole('button', { name: /^Add a webhook/ }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Next: Use your own domain or app' }).click();
    expect((await call('/domains', { hostname: 'go.first-steps.example' })).status).to.equal(201);
    await page.getByText('All done').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Get started').waitFor({ state: 'detached' });
  });

  it('asks three operations, and stands when what needs attention cannot be read', async () => {
    const page = await pages.open();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) asked += 1;
    });
    await overview(page);
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect(asked).to.be.at.most(4);
    pages.expectFault('500');
    await page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('OverviewSetup')
        ? route.fulfill({ status: 500, json: { errors: [{ message: 'Broken', extensions: { code: 'broken' } }] } })
        : route.continue(),
    );
    await page.reload();
    await page.getByRole('alert').getByText('Broken').waitFor();
    await page.getByRole('heading', { name: 'Newest links' }).waitFor();
    expect(await a11yProblems(page)).to.deep.equal([]);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
  });

  it('shows a viewer the steps without a request that is refused', async () => {
    const owner = await theOwner(world);
    const viewer = await newMember(world, owner, mine.teamId, 'viewer');
    const page = await pages.open({ cookie: viewer.cookie });
    await overview(page);
    const shorten = page.getByRole('button', { name: 'Shorten' });
    await shorten.waitFor();
    expect(await shorten.getAttribute('aria-disabled')).to.equal('true');
    await page.getByRole('button', { name: /^Call the API/ }).click();
    expect(await page.getByRole('button', { name: 'Create API key' }).getAttribute('aria-disabled')).to.equal('true');
  });

  for (const width of [390, 1440]) {
    it(`is accessible in every step, ${width}`, async () => {
      const page = await pages.open({ viewport: { width, height: 844 } });
      await overview(page);
      await page.getByLabel('URL to shorten').waitFor();
      const check = async (state: string) => {
        await screenshot(page, `overview-${state}-${width}`);
        expect(await a11yProblems(page), state).to.deep.equal([]);
        expect(await scrollsSideways(page), state).to.equal(false);
      };
      await check('empty');
      await mine.api('POST', '/links', { destination: 'https://example.com/', title: '<img src=x onerror=alert(1)>' });
      await page.getByRole('link', { name: 'Open link' }).waitFor();
      await check('open');
      for (const step of ['Add a webhook', 'Call the API', 'Use your own domain or app']) {
        await page.getByRole('button', { name: new RegExp(`^${step}`) }).click();
        await check(step);
      }
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByText('Get started').waitFor({ state: 'detached' });
      await check('dismissed');
    });
  }
});
