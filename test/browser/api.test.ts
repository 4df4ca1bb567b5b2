// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { isDrawn, usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { newMember, type SignedIn, theOwner } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

describe('the page of keys', () => {
  const world = useWorld();
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };

  before(async () => {
    owner = await theOwner(world);
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const list = async () => (await world.api('GET', '/keys')).body.data;
  /** Whether the API answers requests with that key. */
  const works = async (key: string) =>
    (await fetch(`${world.origin}/api/v1/links`, { headers: { Authorization: `Bearer ${key}` } })).status;

  async function createdKey(page: Page): Promise<string> {
    const key = (await page.getByText(/^sk_live_[\w-]+$/).textContent()) ?? '';
    await page.getByLabel('I have stored it').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return key;
  }

  it('creates a key with the scopes that were selected, shows it once, and names it from then on', async () => {
    const page = await pages.open();
    await page.goto('/app/api');
    await button(page, 'Create key').click();
    await page.getByLabel('Name').fill('Shop server');
    await page.getByRole('radio', { name: 'Selected scopes' }).check();
    await button(page, 'Create key').last().click();
    await page.getByText('Select at least one scope.').waitFor();
    await page.getByRole('checkbox', { name: 'Read links' }).check();
    await page.getByRole('checkbox', { name: 'Change links' }).check();
    await expectSound(page, 'api-new-key', () => page.getByRole('checkbox', { name: 'Read links' }).waitFor());
    await button(page, 'Create key').last().click();
    await page.getByText(/^sk_live_[\w-]+$/).waitFor();
    await expectSound(page, 'api-created');
    const key = await createdKey(page);
    expect(await works(key)).to.equal(200);
    await row(page, 'Shop server').getByText('2 scopes').waitFor();
    expect(await page.content()).not.to.contain(key);
    expect((await list())[0]).to.deep.include({ name: 'Shop server', scopes: ['links:read', 'links:write'] });
  });

  it('rolls a key, of which the old one ends when it was said, and revokes one', async () => {
    const { body } = await world.api('POST', '/keys', { name: 'Rolled', scopes: ['links:read'] });
    const page = await pages.open();
    await page.goto('/app/api');
    await row(page, 'Rolled').getByRole('button', { name: 'Roll' }).click();
    await page.getByRole('combobox', { name: 'The old key ends' }).click();
    await page.getByRole('option', { name: 'At once' }).click();
    await button(page, 'Roll key').click();
    const next = await createdKey(page);
    expect([await works(body.key), await works(next)]).to.deep.equal([401, 200]);
    await row(page, 'Rolled').getByText('Ended').waitFor();
    await row(page, 'Works').filter({ hasText: 'Rolled' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'Rolled').getByText('Revoked').waitFor();
    expect(await works(next)).to.equal(401);
  });

  it('keeps the dialog until a new key that is on its way was shown', async () => {
    await world.api('POST', '/keys', { name: 'On its way', scopes: ['links:read'] });
    const page = await pages.open();
    await page.goto('/app/api');
    const asked = Promise.withResolvers<void>();
    const escaped = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('RollKey')) {
        asked.resolve();
        await escaped.promise;
      }
      await route.continue();
    });
    await row(page, 'On its way').getByRole('button', { name: 'Roll' }).click();
    await button(page, 'Roll key').click();
    await asked.promise;
    await page.keyboard.press('Escape');
    await isDrawn(page);
    escaped.resolve();
    expect(await works(await createdKey(page))).to.equal(200);
  });

  it('keeps a key whose creator has left the team', async () => {
    const admin = await newMember(world, owner, owner.teamId, 'admin');
    const create = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id } }';
    const [{ project_id: projectId }] = await list();
    await admin.ask(create, { input: { projectId, name: 'Of one who left' } });
    await owner.ask(
      'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } } }',
      {
        teamId: owner.teamId,
        userId: admin.userId,
      },
    );
    const page = await pages.open();
    await page.goto('/app/api');
    const key = row(page, 'Of one who left');
    await key.getByText('Its creator has left the team.').waitFor();
    await expectSound(page, 'api', () => key.getByText('Its creator has left the team.').waitFor());
    await key.getByRole('button', { name: 'Keep' }).click();
    await key.getByText('Works').waitFor();
  });

  it('shows members what there is, and says why they cannot create keys', async () => {
    const member = await newMember(world, owner, owner.teamId, 'member');
    const page = await pages.open({ cookie: member.cookie });
    await page.goto('/app/api');
    await page.getByText('pk_live_').first().waitFor();
    await button(page, 'Create key').hover();
    await page.getByText('Your role (member) does not allow this').waitFor();
  });

  it('gives first code in several languages, and for apps with the publishable key', async () => {
    const page = await pages.open();
    await page.goto('/app/api');
    await page.getByText('curl http').waitFor();
    await page.getByText('PHP', { exact: true }).click();
    await page.getByText('stream_context_create').waitFor();
    await page.reload();
    await page.getByText('stream_context_create').waitFor();
    await page.getByText(/init\(\{ url: .*pk_live_[\w-]+/).waitFor();
  });
});
