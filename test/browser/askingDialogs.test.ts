// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import {
  codeFor,
  MANY_PEOPLE,
  mailedToken,
  newEmail,
  newMember,
  newPerson,
  PASSWORD,
  projectOf,
  type SignedIn,
  teamOf,
  trySignUp,
} from '../support/people.ts';
import { useSettings, useWorld } from '../support/world.ts';

const BEGIN = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret } }';
const CONFIRM = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
const CREATE_WEBHOOK = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
const FOCUSED = 'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent';

describe('dialogs and pages that ask for a proof', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  useSettings({ newAccountDays: 0 });
  const pages = usePages(world);

  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
  const row = (page: Page, { email }: SignedIn) => page.getByRole('row').filter({ hasText: email });

  it('say that the code was wrong, not the password, and go on in the field of the recovery code', async () => {
    const person = await newPerson(world, { teamName: 'Of one person' });
    const { secret } = (await person.ask(BEGIN, { password: PASSWORD })).data.beginSecondFactor;
    const codes = (await person.ask(CONFIRM, { code: codeFor(secret) })).data.confirmSecondFactor;
    const page = await pages.open({ cookie: person.cookie });
    await page.goto('/app/account?tab=delete');
    await button(page, 'Delete account').click();
    const password = dialog(page).getByRole('textbox', { name: 'Your password' });
    await password.fill(PASSWORD);
    await dialog(page).getByLabel('Code from your authenticator app').fill('000000');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').getByText('The code is wrong').waitFor();
    expect(await password.getAttribute('aria-invalid')).not.to.equal('true');
    await expectSound(page, 'account-delete-code');
    await inDialog(page, 'Use a recovery code instead').press('Enter');
    await dialog(page).getByRole('textbox', { name: 'Recovery code' }).waitFor();
    expect(await page.evaluate(FOCUSED)).to.contain('Recovery code');
    await page.keyboard.type(codes[0]);
    await page.keyboard.press('Enter');
    await page.getByText('Your account is scheduled for deletion.').waitFor();
  });

  it('begin in the field of the password where a mailed link asks for it', async () => {
    const email = newEmail();
    await trySignUp(world, { email });
    const page = await pages.open({ email: null });
    await page.goto(`/app/confirm-email#token=${await mailedToken(email, 'confirm_email')}`);
    await page.getByText('Enter the password of the account').waitFor();
    expect(await page.evaluate(FOCUSED)).to.contain('Your password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Your email is confirmed.').waitFor();
  });

  it('name webhooks that go on after their maker, and do not say so once they are disabled', async () => {
    const owner = await newPerson(world, { teamName: 'Engines' });
    const teamId = await teamOf(owner);
    const admin = await newMember(world, owner, teamId, 'admin');
    const input = { projectId: await projectOf(owner), url: 'http://127.0.0.1:2009/hook' };
    await admin.ask(CREATE_WEBHOOK, { input });
    const theirs = await pages.open({ cookie: admin.cookie });
    await theirs.goto('/app/account?tab=delete');
    await button(theirs, 'Delete account').click();
    await dialog(theirs).getByText('A webhook that you set up goes on sending events.').waitFor();
    await dialog(theirs).getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await theirs.keyboard.press('Enter');
    await theirs.getByText('Your account is scheduled for deletion.').waitFor();

    const page = await pages.open({ cookie: owner.cookie });
    await page.goto('/app/team');
    const left = row(page, admin);
    await expectSound(page, 'team-left', () => left.getByText('Left, may return until').waitFor());
    // Nothing of it lies where nobody sees it, on a tablet, too.
    await page.setViewportSize({ width: 768, height: 1024 });
    const end = await left.getByRole('button', { name: 'Remove' }).boundingBox();
    expect((end?.x ?? 0) + (end?.width ?? 0)).to.be.within(1, 768);
    await left.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByText('restoring the account does not bring them back').waitFor();
    await inDialog(page, 'Remove').click();
    await dialog(page).getByText('These webhooks still send events').waitFor();
    await inDialog(page, 'Disable webhooks').click();
    await dialog(page).getByText('The webhooks are disabled').waitFor();
    expect(await dialog(page).getByText('These webhooks still send events').count()).to.equal(0);
  });
});
