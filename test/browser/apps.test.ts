// plays, stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { issueClickToken } from '../../src/attribution/clickTokens.ts';
import { clock } from '../../src/kernel/clock.ts';
import { collectRefusals, usePages } from '../support/browser.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { expectSound } from '../support/expectSound.ts';
import { newMember, theOwner } from '../support/people.ts';
import { expectMatch, IPHONE, newAddress, type Sdk, sdkOf, visit } from '../support/sdk.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('the pages of apps', () => {
  const world = useWorld();
  const pages = usePages(world);
  let mine: Tenant;
  let sdk: Sdk;
  let link: MadeLink;

  before(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    sdk = await sdkOf(mine);
    link = await createLink(mine.api, { destination: 'https://www.example.com/', slug: 'to-the-app' });
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const at = (path: string) => `/app${path}${path.includes('?') ? '&' : '?'}project=${mine.projectId}`;
  /** Somebody follows the link, and opens the app from the same address; gives the UUID. */
  const guess = async (from = newAddress(), body: object = {}) => {
    const installId = randomUUID();
    await visit(world, link, { from });
    const opening = { install_id: installId, ...IPHONE.device, app_version: '2.1', ...body };
    expectMatch(await sdk.open(opening, { from }), 'probabilistic', link);
    return installId;
  };

  it('say what apps bring, and what installs and the simulator are, where there is nothing', async () => {
    const page = await pages.open();
    await page.goto(at('/apps'));
    await button(page, 'Add an app').click();
    await page.waitForURL(/\/settings\?.*tab=apps/);
    await page.goBack();
    await expectSound(page, 'apps-none', () => button(page, 'Add an app').waitFor());
    await page.goto(at('/apps/installs'));
    await expectSound(page, 'installs-none', () => page.getByText('Installs appear here when').waitFor());
  });

  describe('with an app and its installs', () => {
    let guessed: string;
    let revised: string;

    before(async () => {
      const apps = [
        { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' },
        { platform: 'android', package: 'com.example.app', sha256_fingerprints: [] },
      ];
      const changed = await mine.api('PATCH', `/projects/${mine.projectId}`, { apps });
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
      guessed = await guess();
      const properties = { note: HOSTILE };
      await sdk.event({ install_id: guessed, name: 'purchase', value: 19.9, currency: 'EUR', properties });
      await sdk.open({ first_open: false, install_id: guessed }, { from: newAddress() });
      revised = await guess();
      const { click_id: clickId } = (await mine.api('GET', `/installs/${revised}`)).body;
      const token = issueClickToken({ clickId, projectId: mine.projectId, linkId: link.id }, clock.now());
      expectMatch(await sdk.open({ clipboard: `svc_click=${token}` }, { from: newAddress() }), 'clipboard', link);
      await sdk.open({ platform: 'android', os_version: '15' }, { from: newAddress() });
    });

    it('show figures that lead to analytics, and what the set-up of each app needs', async () => {
      const page = await pages.open();
      await page.goto(at('/apps?interval=30d'));
      const table = page.getByRole('table', { name: 'Setup: com.example.app' }).first();
      await expectSound(page, 'apps', () => table.waitFor());
      expect(await page.getByRole('term').allTextContents()).to.deep.equal([
        'Installs',
        'Opens',
        'App events',
        'Revenue (EUR)',
      ]);
      expect(await page.getByRole('definition').first().textContent()).to.contain('4');
      expect(await page.getByRole('listitem').allTextContents()).to.include('Clipboard1');
      const details = table.getByRole('link', { name: 'Details: Universal Links file' });
      expect(await details.getAttribute('href')).to.contain('/health?check=apple_app_site_association');
      await button(page, /to-the-app/)
        .first()
        .click();
      await page.waitForURL(
        (url) => url.searchParams.get('link') === link.id && url.searchParams.get('event') === 'install',
      );
      await page.goBack();
      await page.getByRole('term').getByRole('link', { name: 'Opens' }).click();
      await page.waitForURL(/analytics\?.*interval=30d.*event=open/);
      pages.expectFault('500');
      await page.route('**/graphql', (route) =>
        (route.request().postData() ?? '').includes('AppSetup')
          ? route.fulfill({ status: 500, json: { errors: [{ message: 'Broken', extensions: { code: 'broken' } }] } })
          : route.continue(),
      );
      await page.goto(at('/apps'));
      await page.getByRole('alert').getByText('Broken').waitFor();
      await page.getByRole('term').first().waitFor();
    });

    it('list installs with how sure each match is, and keep filters in the address', async () => {
      const page = await pages.open();
      await page.goto(at('/apps/installs'));
      await button(page, 'All 4').waitFor();
      const row = page.getByRole('row').filter({ hasText: guessed.slice(0, 8) });
      expect(await row.textContent()).to.match(/iOS 18\.1.*2\.1.*Likely, \d+ of 100.*Probabilistic.*to-the-app/);
      expect(
        await page
          .getByRole('row')
          .filter({ hasText: revised.slice(0, 8) })
          .textContent(),
      ).to.contain('Taken back');
      await expectSound(page, 'installs', () => row.waitFor());
      await button(page, 'Clipboard 1').click();
      await page.waitForURL(/method=clipboard/);
      await page.getByText('Certain').waitFor();
      await row.waitFor({ state: 'detached' });
      await page.getByLabel('Install ID').fill(guessed.slice(0, 12));
      await page.getByText('No installs match these filters.').waitFor();
      await page.reload();
      await page.getByText('No installs match these filters.').waitFor();
      expect(await page.getByLabel('Install ID').inputValue()).to.equal(guessed.slice(0, 12));
      await button(page, 'Clear filters').first().click();
      await page.getByRole('combobox', { name: 'Platform' }).click();
      await page.getByRole('option', { name: 'Android 1' }).click();
      await page.waitForURL(/platform=android/);
      await page.goto(at(`/apps/installs?matched=true&link=${link.id}`));
      await row.getByRole('link').first().click();
      await page.getByRole('heading', { name: `Install ${guessed.slice(0, 8)}` }).waitFor();
    });

    it('show what happened in an install, and explain its match by a picture and a table', async () => {
      const page = await pages.open();
      await page.goto(at(`/apps/installs/${guessed}`));
      const picture = page.getByRole('img', { name: /points, 70 are needed: enough for a match. Address \+85/ });
      await picture.waitFor();
      const steps = await page.getByRole('listitem').allTextContents();
      for (const [index, words] of [
        'Clicked the link',
        'Opened the app for the first time',
        'purchase',
        'Opened the app',
      ].entries())
        expect(steps[index]).to.contain(words);
      expect(steps[2]).to.contain('€19.90');
      await page.getByText('Properties').click();
      await page.getByText(HOSTILE).waitFor();
      expect(await page.getByRole('row', { name: /^Address/ }).textContent()).to.contain('+85');
      const compared = page.getByRole('table', { name: 'Clicks that were compared' });
      expect(await compared.textContent())
        .to.contain('Matched')
        .and.contain('/to-the-app');
      await expectSound(page, 'install', () => picture.waitFor());
    });

    it('say that a match was taken back, and which token was accepted instead', async () => {
      const page = await pages.open();
      await page.goto(at(`/apps/installs/${revised}`));
      await expectSound(page, 'install-revised', () => page.getByText(/^This match was taken back on/).waitFor());
      await page.goto(at('/apps/installs?method=clipboard'));
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      const tokens = page.getByRole('table', { name: 'Tokens' });
      expect(await tokens.textContent()).to.contain('Accepted');
    });

    it('let a viewer read all of it, and send nothing that is refused', async () => {
      const viewer = await newMember(world, await theOwner(world), mine.teamId, 'viewer');
      const page = await pages.open({ email: null });
      const [name = '', value = ''] = viewer.cookie.split('=');
      await page.context().addCookies([{ name, value, url: world.origin }]);
      const refused = collectRefusals(page);
      await page.goto(at('/apps'));
      await page.getByRole('table').first().waitFor();
      await page.goto(at('/apps/simulator'));
      await page.getByRole('img', { name: /points/ }).waitFor();
      await page.goto(at(`/apps/installs/${guessed}`));
      const remove = button(page, 'Delete all about this install');
      expect(await remove.getAttribute('aria-disabled')).to.equal('true');
      expect(refused).to.deep.equal([]);
    });

    it('delete all about an install, and go back to the list without it', async () => {
      const gone = await guess();
      const page = await pages.open();
      await page.goto(at(`/apps/installs/${gone}`));
      await button(page, 'Delete all about this install').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The link and its clicks stay.').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/apps\/installs\?/);
      await page
        .getByRole('row')
        .filter({ hasText: guessed.slice(0, 8) })
        .waitFor();
      expect(
        await page
          .getByRole('row')
          .filter({ hasText: gone.slice(0, 8) })
          .count(),
      ).to.equal(0);
      await page.goto(at(`/apps/installs/${gone}`));
      await page.getByText('It does not exist, or you may not see it').waitFor();
    });
  });

  describe('the simulator', () => {
    const result = (page: Page) => page.getByRole('img', { name: /points, 70 are needed/ });

    it('explains a match by the same picture, with examples that fail for different reasons', async () => {
      const installs = async () => (await mine.api('GET', '/installs')).body.data.length;
      const before = await installs();
      const page = await pages.open();
      await page.goto(at('/apps/simulator'));
      await expectSound(page, 'simulator', () => result(page).waitFor());
      await page.getByText(/^Likely, \d+ of 100$/).waitFor();
      await button(page, 'Carrier address with many visitors').click();
      await page.waitForURL(/inputs=/);
      await page.getByText('Shared by many: no points').waitFor();
      await page.getByRole('img', { name: /not enough/ }).waitFor();
      await button(page, 'Two links at once').click();
      await page.getByText('Ambiguous').first().waitFor();
      await expectSound(page, 'simulator-ambiguous', () =>
        page
          .getByText(/gift-card/)
          .last()
          .waitFor(),
      );
      await button(page, 'Delete other click 1').click();
      await page.getByText(/^Likely, \d+ of 100$/).waitFor();
      expect(await installs()).to.equal(before);
    });

    it('keeps the whole input in the address, for others to open', async () => {
      const page = await pages.open();
      await page.goto(at('/apps/simulator'));
      await page.getByLabel('Seconds before the opening').fill('600');
      await page.getByRole('textbox', { name: 'Language', exact: true }).fill('fr-FR');
      await page.waitForURL(/fr-FR/);
      const other = await pages.open();
      await other.goto(page.url());
      await result(other).waitFor();
      expect(await other.getByLabel('Seconds before the opening').inputValue()).to.equal('600');
      expect(await other.getByRole('row', { name: /^Language/ }).textContent()).to.contain('−40');
      await other.goto(at('/apps/simulator?inputs=nonsense'));
      await other.getByText('could not be read').waitFor();
      await result(other).waitFor();
    });

    it('shows what the server refuses at its field', async () => {
      const page = await pages.open();
      await page.goto(at('/apps/simulator'));
      await result(page).waitFor();
      const agent = page.getByLabel('User-Agent of the browser');
      await agent.fill('');
      await agent.and(page.locator('[aria-invalid="true"]')).waitFor();
      await page.getByText('Correct the fields that are marked').waitFor();
      await agent.fill('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
      await page.getByText('Not a person').waitFor();
      await page.getByText('More fields').first().click();
      const address = page.getByLabel('IP address').first();
      await address.fill('nowhere');
      await address.and(page.locator('[aria-invalid="true"]')).waitFor();
      await expectSound(page, 'simulator-refused', () => address.waitFor());
    });
  });
});
