// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { a11yProblems, collectRefusals, scrollsSideways, usePages } from '../support/browser.ts';
import { Loopback } from '../support/loopback.ts';
import { memberSession } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><b>Sale</b>';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
/** One black pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

describe('the form of a link', () => {
  const world = useWorld();
  const pages = usePages(world);
  const loopback = new Loopback();
  let site: string;

  before(async () => {
    const port = await loopback.http((request, response) => {
      if (request.url === '/picture') return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG);
      if (request.url !== '/page') return void response.writeHead(404, { 'Content-Type': 'text/html' }).end();
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(
        `<title>${escaped(HOSTILE)}</title><meta name="description" content="All about it">
         <meta property="og:image" content="/picture">`,
      );
    });
    site = `http://127.0.0.1:${port}`;
  });
  after(() => loopback.close());

  const begin = async (destination: string, options: Parameters<typeof pages.open>[0] = {}) => {
    const page = await pages.open(options);
    await page.goto('/app/links/new');
    await page.getByLabel('Destination').first().fill(destination);
    return page;
  };
  const openSection = (page: Page, title: string) => page.locator('summary').filter({ hasText: title }).first().click();
  const expectClean = async (page: Page) => {
    expect(await a11yProblems(page)).to.deep.equal([]);
    expect(await scrollsSideways(page)).to.equal(false);
  };

  it('shows problems in place before it is saved, and focuses the first one', async () => {
    for (const width of [390, 1440]) {
      const page = await begin('no url', { viewport: { width, height: 900 } });
      await page.locator('[data-path="destination"][aria-invalid="true"]').waitFor();
      await openSection(page, 'Custom data');
      await page.getByLabel('JSON object').fill('{');
      await page.getByText('isn’t a valid JSON object').waitFor();
      await page.getByLabel('JSON object').fill(`{"text": "${'x'.repeat(17_000)}"}`);
      await page.getByText('at most 16 KiB').waitFor();
      await page.getByLabel('JSON object').fill('{"product": 42}');
      await page.getByText('at most 16 KiB').waitFor({ state: 'detached' });
      expect(await page.getByLabel('JSON object').isVisible(), 'the section stays open').to.equal(true);
      await page.keyboard.press('Control+Enter');
      await page.getByText('Fix 1 problem').waitFor();
      await page.locator('[data-path="destination"]:focus').waitFor();
      await expectClean(page);
    }
  });

  it('says at once that a slug is taken, and that a destination has a link', async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/taken', slug: 'builder-taken' });
    const page = await begin('https://example.com/taken');
    await page.getByText('You already have a link to this destination').waitFor();
    await page.getByLabel('Slug').fill('builder-taken');
    await page.getByText('already taken').first().waitFor();
    await page.getByLabel('Slug').fill('builder-free');
    await page.getByText('already taken').waitFor({ state: 'detached' });
  });

  it('puts a refusal that only the server could know to its field', async () => {
    const page = await begin('https://example.com/late');
    await page.getByLabel('Slug').fill('builder-late');
    await page.getByText('They are sent to').waitFor();
    await world.api('POST', '/links', { destination: 'https://example.com/late', slug: 'builder-late' });
    await page.getByRole('button', { name: 'Create link' }).last().click();
    await page.locator('[data-path="slug"][aria-invalid="true"]:focus').waitFor();
    expect(await page.getByLabel('Slug').inputValue()).to.equal('builder-late');
  });

  it('offers the title and the card of the destination, as text, and overwrites nothing', async () => {
    const page = await begin(`${site}/page`);
    await page.getByRole('button', { name: 'Use the page’s title' }).click();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal(HOSTILE);
    await page.getByLabel('Title', { exact: true }).fill('Mine');
    expect(await page.getByRole('button', { name: 'Use the page’s title' }).count()).to.equal(0);
    await page.getByRole('tab', { name: 'Social card' }).click();
    const card = page.getByRole('figure');
    for (const network of ['Slack', 'X', 'WhatsApp', 'LinkedIn', 'Discord']) {
      await page.getByText(network, { exact: true }).click();
      await page.getByRole('figure', { name: `Card in ${network}` }).waitFor();
      expect(await card.getByText(HOSTILE).count(), network).to.equal(1);
      expect(await card.locator('img').getAttribute('src'), network).to.match(/^data:image\/png;base64,/);
      await expectClean(page);
    }
    await openSection(page, 'Social card');
    await page.getByLabel('Card title').fill('Written');
    await page.getByRole('button', { name: 'Fill in from the destination' }).click();
    expect(await page.getByLabel('Card title').inputValue()).to.equal('Written');
    expect(await page.getByLabel('Card description').inputValue()).to.equal('All about it');
    expect(await page.getByLabel('Image URL').inputValue()).to.equal(`${site}/picture`);
    await card.getByText('Written').waitFor();
    expect(await page.title()).to.not.equal('1');
  });

  it('says that a page could not be read, and can be saved all the same', async () => {
    const page = await begin(`${site}/nowhere`, { viewport: { width: 390, height: 844 } });
    await page.getByText('The destination answered with an error').waitFor();
    await expectClean(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    await expectClean(page);
  });

  it('orders rules by keys, and shows which one decides', async () => {
    const page = await begin('https://example.com/rest');
    await openSection(page, 'Routing rules');
    for (const number of [1, 2]) {
      await page.getByRole('button', { name: 'Add rule' }).press('Enter');
      const rule = page.getByRole('group', { name: `Rule ${number}` });
      await rule.getByRole('combobox', { name: 'System: Values' }).fill('iOS');
      await page.getByRole('option', { name: 'iOS' }).filter({ visible: true }).click();
      await page.keyboard.press('Escape');
      await rule.getByLabel('then go to').fill(`https://example.com/${number}`);
      await rule.getByLabel('Rule name').fill(`rule-${number}`);
    }
    const outcome = page.getByRole('status').filter({ hasText: 'They are sent to' });
    await outcome.getByText('https://example.com/1').waitFor();
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Rule name').press('Alt+ArrowUp');
    await page.getByText('Rule 2 is now rule 1 of 2.').waitFor({ state: 'attached' });
    await outcome.getByText('https://example.com/2').waitFor();
    await page.locator('[data-path="routing.rules.0.name"]:focus').waitFor();
    expect(await page.getByRole('group', { name: 'Rule 1' }).getByLabel('Rule name').inputValue()).to.equal('rule-2');
    await page.getByRole('group', { name: 'Rule 1' }).getByRole('button', { name: 'Move down' }).press('Enter');
    await outcome.getByText('https://example.com/1').waitFor();
    await page.getByRole('button', { name: 'Split traffic' }).click();
    await page.getByText('50% of visitors').first().waitFor();
    await expectClean(page);
  });

  it('orders rules by dragging', async () => {
    const page = await begin('https://example.com/rest');
    // All rules are in sight: a page that scrolls after the button is down drops nothing.
    await page.setViewportSize({ width: 1440, height: 2200 });
    await openSection(page, 'Routing rules');
    for (const number of [1, 2, 3]) {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page
        .getByRole('group', { name: `Rule ${number}` })
        .getByLabel('Rule name')
        .fill(`rule-${number}`);
    }
    const grip = page.getByRole('group', { name: 'Rule 3' }).locator('[draggable]');
    const told = page.getByText('Rule 3 is now rule 1 of 3.');
    // A browser without a moment to spare sometimes does not begin to drag: one tries again.
    for (let tries = 1; (await told.count()) === 0; tries += 1) {
      expect(tries).to.be.at.most(4);
      await grip.dragTo(page.getByRole('group', { name: 'Rule 1' }), { steps: 5 });
      await told.waitFor({ state: 'attached', timeout: 5000 }).catch(() => {});
    }
    const names = page.getByLabel('Rule name');
    const values = await Promise.all([0, 1, 2].map((index) => names.nth(index).inputValue()));
    expect(values).to.deep.equal(['rule-3', 'rule-1', 'rule-2']);
  });

  it('keeps the links that were begun, and offers them', async () => {
    const page = await begin('https://example.com/begun');
    await page.getByLabel('Title', { exact: true }).fill('First begun');
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await page.goto('/app/links/new');
    await page.getByText('is restored').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('First begun');
    await page.getByRole('button', { name: 'Keep it and start a new link' }).click();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('');
    await page.getByLabel('Title', { exact: true }).fill('Second begun');
    await expectClean(page);
    await page.getByRole('button', { name: 'First begun', exact: true }).click();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('First begun');
    await page.getByRole('button', { name: 'Discard the draft Second begun' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await page.getByText('is restored').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Second begun' }).count()).to.equal(0);
  });

  it('leads back to the link that is edited', async () => {
    const { body } = await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'leads-back' });
    const page = await pages.open();
    await page.goto(`/app/links/${body.id}/edit`);
    await page.getByRole('link', { name: 'Back to the link' }).click();
    await page.waitForURL(`**/app/links/${body.id}`);
    await page.getByRole('heading', { name: /leads-back$/, level: 1 }).waitFor();
  });

  it('says what someone else has changed, warns of moved links, and shows their version', async () => {
    const { body } = await world.api('POST', '/links', { destination: 'https://example.com/', title: 'before' });
    const page = await pages.open({ viewport: { width: 390, height: 844 } });
    await page.goto(`/app/links/${body.id}/edit`);
    await page.getByLabel('Slug').fill('builder-moved');
    await page.getByText('printed QR codes').waitFor();
    await world.api('PATCH', `/links/${body.id}`, { title: 'theirs', tags: ['new'] });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Someone else changed this link').waitFor();
    await page.getByText('What is different now: Title, Tags.').waitFor();
    await expectClean(page);
    await page.getByRole('button', { name: 'Discard mine and show theirs' }).click();
    await page.getByText('Someone else changed this link').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('theirs');
    expect(await page.getByLabel('Slug').inputValue()).to.equal(body.slug);
  });

  it('names countries whose rule keeps another code than the one that is offered', async () => {
    const when = { country: ['UK', 'FR'], not: { country: ['DD'] } };
    const routing = { rules: [{ when, destination: 'https://example.com/there' }] };
    const { body } = await world.api('POST', '/links', { destination: 'https://example.com/', routing });
    const page = await pages.open();
    await page.goto(`/app/links/${body.id}/edit`);
    await openSection(page, 'Routing rules and split');
    const rule = page.getByRole('group', { name: 'Rule 1' });
    for (const name of ['United Kingdom (UK)', 'France', 'Germany (DD)']) await rule.getByText(name).waitFor();
    await rule.getByRole('combobox', { name: 'Country: Values' }).first().fill('kingdom');
    await page.getByRole('option', { name: 'United Kingdom', exact: true }).waitFor();
    expect(await page.getByRole('option').filter({ visible: true }).count()).to.equal(1);
  });

  it('is not shown to viewers, for whom nothing is asked that would be refused', async () => {
    const teamId = (await world.api('GET', '/team')).body.id;
    const cookie = await memberSession(world, teamId, 'viewer');
    const page = await pages.open({ cookie });
    const refused = collectRefusals(page);
    await page.goto('/app/links/new');
    await page.getByText('Your role (').waitFor();
    expect(await page.getByLabel('Destination').count()).to.equal(0);
    expect(refused).to.deep.equal([]);
    await expectClean(page);
  });
});
