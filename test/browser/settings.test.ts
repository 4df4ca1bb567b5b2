// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { theOwner } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

const BYTES = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':');
/** As keytool prints a certificate, with the hash of another kind before it. */
const PASTED = `Certificate fingerprints:\n\t SHA1: ${BYTES.slice(0, 59)}\n\t SHA256: ${BYTES}\nSignature algorithm name: SHA256withRSA`;

describe('the settings of a project', () => {
  const world = useWorld({ LINK_DOMAIN: 'go.localhost' });
  const pages = usePages(world);

  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const project = async () => (await world.api('GET', '/projects')).body.data[0];

  it('change its name and how installs are matched, with what it means for privacy', async () => {
    const page = await pages.open();
    await page.goto('/app/settings');
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Match installs by similarity').uncheck();
    await expectSound(page, 'settings', () => page.getByText('privacy policy').waitFor());
    await button(page, 'Save settings').click();
    await page.getByText('Settings saved').waitFor();
    expect(await project()).to.deep.include({ name: 'Shop', probabilistic_matching: false });
    await button(page, 'Project: Shop. Switch project').waitFor();
  });

  it('lose what was not saved only when somebody says so, and then send nothing', async () => {
    // The first checks of a project may run meanwhile.
    const { health: _, ...before } = await project();
    const page = await pages.open();
    await page.goto('/app/settings');
    await page.getByLabel('Name').fill('Never saved');
    await page
      .getByRole('tab', { name: 'Tags' })
      .or(page.getByRole('link', { name: 'Tags' }))
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByText('Tags group links')
      .or(page.getByRole('heading', { name: 'Tags' }))
      .first()
      .waitFor();
    expect(await project()).to.deep.include(before);
  });

  it('send only what was changed, and follow what others save meanwhile', async () => {
    const page = await pages.open();
    await page.goto('/app/settings');
    await page.getByLabel('Largest event value').fill('');
    await button(page, 'Save settings').click();
    await page.getByText('Is required.').waitFor();
    await page.getByLabel('Largest event value').fill('500');
    const { id } = await project();
    await world.api('PATCH', `/projects/${id}`, { match_window_seconds: 7200 });
    await button(page, 'Save settings').click();
    await page.getByText('Settings saved').waitFor();
    expect(await project()).to.deep.include({ max_event_value: 500, match_window_seconds: 7200 });
    await page.getByRole('combobox', { name: 'Matching window' }).and(page.locator('[value="2 hours"]')).waitFor();
    await world.api('PATCH', `/projects/${id}`, { max_event_value: 1_000_000, match_window_seconds: 3600 });
  });

  it('add apps from what was pasted, and show the files as they are served', async () => {
    const page = await pages.open();
    await page.goto('/app/settings?tab=apps');
    await button(page, 'Add Android app').click();
    await page.getByLabel('Package name').fill('com.example.shop');
    await page.getByLabel('SHA-256 certificate fingerprints').fill(PASTED);
    await page.getByText('1 fingerprint found:').waitFor();
    await expectSound(page, 'settings-app', () => page.getByText('1 fingerprint found:').waitFor());
    await button(page, 'Save app').click();
    await page.getByText('App saved').waitFor();
    await button(page, 'Add iOS app').click();
    await page.getByLabel('Bundle ID').fill('com.example.shop');
    await page.getByLabel('Apple team ID').fill('nonsense');
    await button(page, 'Save app').click();
    await page.getByText(/ten capital letters/).waitFor();
    await page.getByLabel('Apple team ID').fill('abcde12345');
    await page.getByLabel('App Store ID').fill('https://apps.apple.com/app/shop/id123456789');
    await button(page, 'Save app').click();
    await page.getByText('iOS · com.example.shop').waitFor();
    const { apps } = await project();
    expect(apps.map(({ platform }: { platform: string }) => platform)).to.deep.equal(['android', 'ios']);
    expect(apps[0].sha256_fingerprints).to.deep.equal([BYTES]);
    expect(apps[1]).to.deep.include({ team_id: 'ABCDE12345', app_store_id: '123456789' });
    await page.getByText('ABCDE12345.com.example.shop').first().waitFor();
    await expectSound(page, 'settings-apps', () => page.getByText('ABCDE12345.com.example.shop').first().waitFor());
  });

  it('rename, colour and delete tags, with how many links have them', async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/', tags: ['print'] });
    const page = await pages.open();
    await page.goto('/app/settings?tab=tags');
    await row(page, 'print').getByRole('link', { name: 'Show links with print' }).waitFor();
    await row(page, 'print').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('posters');
    await page.getByRole('combobox', { name: 'Color' }).click();
    await page.getByRole('option', { name: 'Teal' }).click();
    await button(page, 'Save tag').click();
    await row(page, 'posters').waitFor();
    await expectSound(page, 'settings-tags', () => row(page, 'posters').waitFor());
    await row(page, 'posters').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('removed from 1 link').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Tags group links, such as').waitFor();
  });

  it('create a project, and delete it after saying what is lost, with the way back', async () => {
    const page = await pages.open();
    await page.goto('/app/projects/new');
    await page.getByLabel('Name').fill('Second');
    await button(page, 'Create project').click();
    await button(page, 'Project: Second. Switch project').waitFor();
    const id = new URL(page.url()).searchParams.get('project');
    await page.goto(`/app/settings?tab=delete&project=${id}`);
    await page.getByText('In this project: links (0)').waitFor();
    await expectSound(page, 'settings-delete', () => page.getByText('In this project: links (0)').waitFor());
    await button(page, 'Delete project').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await dialog
      .getByText(/password/i)
      .nth(1)
      .waitFor();
    await dialog.getByLabel('Your password').fill(world.password);
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await page.getByText('Second is deleted.').waitFor();
    await page.waitForURL(/\/team/);
    await page.goto('/app/team?tab=data');
    await row(page, 'Second')
      .getByRole('button', { name: /Restore/ })
      .click();
    await page.getByText('Second is restored').waitFor();
  });

  it('stay those of the project that this tab shows, whatever another tab chooses', async () => {
    const page = await pages.open();
    await page.goto('/app/imports/new');
    await page.getByRole('button', { name: /^Project: (?!Elsewhere)/ }).waitFor();
    const owner = await theOwner(world);
    const create = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }';
    const { data } = await owner.ask(create, { input: { teamId: owner.teamId, name: 'Elsewhere' } });
    const second = await page.context().newPage();
    await second.goto(`/app/?project=${data.createProject.id}`);
    await second.getByRole('button', { name: 'Project: Elsewhere. Switch project' }).waitFor();
    await page.getByRole('radio').last().check();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.waitForURL(/\/links/);
    await page.getByRole('button', { name: /^Project: (?!Elsewhere)/ }).waitFor();
  });
});
