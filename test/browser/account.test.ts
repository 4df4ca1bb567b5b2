// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import {
  codeFor,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newMember,
  newPerson,
  newSession,
  PASSWORD,
  type SignedIn,
  teamOf,
  tokenIn,
  trySignIn,
  trySignUp,
} from '../support/people.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

describe('the pages of a person', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  const pages = usePages(world);

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
  const passwordField = (page: Page, name = 'Your password') => dialog(page).getByRole('textbox', { name });
  const isClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

  async function account(person: SignedIn, path = ''): Promise<Page> {
    const page = await pages.open({ cookie: person.cookie });
    await page.goto(`/app/account${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** Turns the second factor on without the page; gives its secret and recovery codes. */
  async function withFactor({ ask }: SignedIn): Promise<{ secret: string; codes: string[] }> {
    const begin = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret } }';
    const { secret } = (await ask(begin, { password: PASSWORD })).data.beginSecondFactor;
    const confirm = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
    return { secret, codes: (await ask(confirm, { code: codeFor(secret) })).data.confirmSecondFactor };
  }

  describe('change the email', () => {
    it('by a link to the new address, and take the change back until it is opened', async () => {
      const person = await newPerson(world);
      const page = await account(person);
      const address = newEmail();
      await page.getByText(person.email).first().waitFor();
      const ask = async (password: string) => {
        await dialog(page).getByText('We send a link to the new address.').waitFor();
        await page.getByLabel('New email').fill(address);
        await passwordField(page).fill(password);
        await page.keyboard.press('Enter');
      };
      await button(page, 'Change email').click();
      await ask('not the password');
      await dialog(page).getByText('The password is wrong.').waitFor();
      await expectSound(page, 'account-change-email');
      await ask(PASSWORD);
      await isClosed(page);
      await expectSound(page, 'account-waiting', () => page.getByText(`Waiting for ${address}`).waitFor());
      await button(page, 'Cancel the change').click();
      await page.getByText(`Waiting for ${address}`).waitFor({ state: 'detached' });
      await button(page, 'Change email').click();
      await ask(PASSWORD);
      await isClosed(page);
      const token = await until(
        async () => tokenIn((await mailsTo(address)).at(-1)?.text ?? ''),
        'a mail to the new address',
      );
      await page.goto(`/app/change-email#token=${token}`);
      await page.getByText(`Your email is now ${address}.`).waitFor();
      expect(page.url()).not.to.contain('token');
      await page.getByRole('link', { name: 'Go to the dashboard' }).click();
      await button(page, 'Your account').click();
      await page.getByText(`Signed in as ${address}`).waitFor();
      const undo = (await mailsTo(person.email)).map(({ text }) => /undo-email-change#token=([\w-]+)/.exec(text)?.[1]);
      await page.goto(`/app/undo-email-change#token=${undo.find(Boolean)}`);
      await button(page, 'Undo the change').click();
      await page.getByText('all of its sessions have ended').waitFor();
      await page.getByRole('link', { name: 'Choose a new password' }).waitFor();
      expect((await trySignIn(world, { email: person.email })).errors).to.equal(undefined);
    });

    it('say what to do with links that are incomplete, used or unknown', async () => {
      const page = await pages.open({ email: null });
      for (const [path, verb] of [
        ['change-email', null],
        ['undo-email-change', 'Undo the change'],
        ['undo-second-factor', 'Turn it off'],
      ] as const) {
        await page.goto(`/app/${path}`);
        await page.getByText('This link is incomplete.').waitFor();
        await page.goto(`/app/${path}?again#token=unknown-token-of-nobody`);
        if (verb) {
          await expectSound(page, path);
          await button(page, verb).click();
        }
        await page.getByRole('alert').first().waitFor();
        expect(page.url()).not.to.contain('token');
        await expectSound(page, `${path}-unknown`);
      }
    });

    it('confirm it after signing up, with another mail where the first one did not arrive', async () => {
      const email = newEmail();
      const { cookie } = await trySignUp(world, { email });
      const page = await pages.open({ cookie: cookie ?? '' });
      await page.goto('/app/links');
      await page.getByText(`We sent a link to ${email}.`).waitFor();
      await button(page, 'Send the link again').click();
      await page.getByText('A new link is on its way.').waitFor();
      await expectSound(page, 'unconfirmed');
      await page.goto(`/app/confirm-email#token=${await mailedToken(email, 'confirm_email')}`);
      await page.getByText('Your email is confirmed.').waitFor();
      await page.goto('/app/links');
      await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    });
  });

  describe('change the password', () => {
    it('after saying that other sessions end, and say what was wrong at its field', async () => {
      const person = await newPerson(world);
      const other = await newSession(world, { email: person.email });
      const page = await account(person);
      await button(page, 'Change password').click();
      await dialog(page).getByText('Your other sessions are signed out').waitFor();
      const fill = async (current: string, next: string) => {
        await passwordField(page, 'Current password').fill(current);
        await passwordField(page, 'New password').fill(next);
        await page.keyboard.press('Enter');
      };
      await fill('wrong', 'another long password');
      await dialog(page).getByText('The password is wrong.').waitFor();
      await fill(PASSWORD, 'password123');
      await dialog(page).getByText('Is one of the most common passwords.').waitFor();
      await expectSound(page, 'account-change-password');
      await fill(PASSWORD, 'another long password');
      await isClosed(page);
      expect((await other.ask('{ me { id } }')).data.me).to.equal(null);
      expect((await person.ask('{ me { id } }')).data.me.id).to.equal(person.userId);
    });
  });

  describe('turn on the second factor', () => {
    it('with the key of an app and its first code, and show the recovery codes once', async () => {
      const person = await newPerson(world);
      const other = await newSession(world, { email: person.email });
      const page = await account(person);
      await button(page, 'Turn on').click();
      await passwordField(page).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
      const secret = ((await dialog(page).locator('code').textContent()) ?? '').replaceAll(' ', '');
      const code = page.getByLabel('Code from your authenticator app');
      await expectSound(page, 'account-app', () => code.waitFor());
      await code.fill('000000');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('The code is wrong').waitFor();
      await code.fill(codeFor(secret));
      await page.keyboard.press('Enter');
      await page.getByText('This is shown only once.').waitFor();
      await expectSound(page, 'account-codes', () => page.getByText('This is shown only once.').waitFor());
      const codes = ((await dialog(page).locator('code').textContent()) ?? '').split('\n');
      expect(codes).to.have.length(10);
      const download = page.waitForEvent('download');
      await button(page, 'Download').click();
      expect((await download).suggestedFilename()).to.equal('svc-recovery-codes.txt');
      await page.keyboard.press('Escape');
      await page.getByLabel('I have stored it').check();
      await inDialog(page, 'Close').click();
      await page.getByText('10 recovery codes left').waitFor();
      expect(await page.content()).not.to.contain(codes[0]);
      expect((await other.ask('{ me { id } }')).data.me).to.equal(null);
      const signIn = await trySignIn(world, { email: person.email, code: codes[0] });
      expect(signIn.errors).to.equal(undefined);
    });

    it('make new recovery codes when few are left, and turn it off with one', async () => {
      const person = await newPerson(world);
      const { codes } = await withFactor(person);
      for (const code of codes.slice(0, 8)) await newSession(world, { email: person.email, code });
      const page = await account(person);
      await expectSound(page, 'account-few-codes', () => page.getByText('2 recovery codes left').waitFor());
      const prove = async (code: string, verb: string) => {
        await passwordField(page).fill(PASSWORD);
        await dialog(page).getByRole('button', { name: 'Use a recovery code instead' }).click();
        await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
        await inDialog(page, verb).click();
      };
      await button(page, 'New recovery codes').click();
      await expectSound(page, 'account-new-codes', () => passwordField(page).waitFor());
      await prove(codes[0] ?? '', 'Make new codes');
      await dialog(page).getByRole('alert').getByText('The code is wrong').waitFor();
      await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[8] ?? '');
      await inDialog(page, 'Make new codes').click();
      await page.getByText('This is shown only once.').waitFor();
      const [next = ''] = ((await dialog(page).locator('code').textContent()) ?? '').split('\n');
      await page.getByLabel('I have stored it').check();
      await inDialog(page, 'Close').click();
      await isClosed(page);
      await button(page, 'Turn off').click();
      await prove(next, 'Turn off');
      await isClosed(page);
      await button(page, 'Turn on').waitFor();
      expect((await trySignIn(world, { email: person.email })).errors).to.equal(undefined);
    });

    it('and undo it by the mailed link, once', async () => {
      const person = await newPerson(world);
      await withFactor(person);
      const token = await until(async () => {
        const mails = await mailsTo(person.email);
        return mails.map(({ text }) => /undo-second-factor#token=([\w-]+)/.exec(text)?.[1]).find(Boolean);
      }, 'a mail about the second factor');
      const page = await pages.open({ email: null });
      await page.goto(`/app/undo-second-factor#token=${token}`);
      await button(page, 'Turn it off').click();
      await page.getByText('Two-factor authentication is off').waitFor();
      await page.getByRole('link', { name: 'Choose a new password' }).waitFor();
      expect((await trySignIn(world, { email: person.email })).errors).to.equal(undefined);
      await page.goto(`/app/undo-second-factor?again#token=${token}`);
      await button(page, 'Turn it off').click();
      await page.getByRole('alert').first().waitFor();
      expect(await button(page, 'Turn it off').count()).to.equal(0);
      await page.getByRole('link', { name: 'Choose a new password' }).waitFor();
    });
  });

  describe('end sessions', () => {
    it('one of them, and then all others, but never this one', async () => {
      const person = await newPerson(world);
      const others = [];
      for (let count = 0; count < 3; count += 1) others.push(await newSession(world, { email: person.email }));
      const page = await account(person, '?tab=sessions');
      const rows = page.getByRole('row').filter({ hasText: 'Unknown device' });
      await expectSound(page, 'account-sessions', () => page.getByText('This session').waitFor());
      expect(await rows.count()).to.equal(4);
      await page.getByRole('button', { name: 'End session: Unknown device' }).first().click();
      await rows.nth(3).waitFor({ state: 'detached' });
      await button(page, 'End all others').click();
      await inDialog(page, 'End all others').click();
      await rows.nth(1).waitFor({ state: 'detached' });
      await page.getByText('This session').waitFor();
      for (const { ask } of others) expect((await ask('{ me { id } }')).data.me).to.equal(null);
    });
  });

  describe('delete the account', () => {
    it('after saying what goes and what stays, and restore it after signing in again', async () => {
      const person = await newPerson(world, { teamName: 'Of one person' });
      const page = await account(person, '?tab=delete');
      await page.getByText('You are its only member: the team is deleted').waitFor();
      await expectSound(page, 'account-delete', () => page.getByText('You are its only member').waitFor());
      await button(page, 'Delete account').click();
      await passwordField(page).fill('wrong');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('The password is wrong.').waitFor();
      await expectSound(page, 'account-delete-asked');
      await passwordField(page).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByText('Your account is scheduled for deletion.').waitFor();
      await expectSound(page, 'account-deleted');
      await page.reload();
      await page.getByText('Your account is scheduled for deletion.').waitFor();
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Restore your account?' }).waitFor();
      await page.goto('/app/links');
      await page.getByRole('heading', { name: 'Restore your account?' }).waitFor();
      await expectSound(page, 'account-restore');
      await button(page, 'Restore account').click();
      await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    });

    it('only once every team has another owner, with the way there', async () => {
      const owner = await newPerson(world, { teamName: 'Of several people' });
      const teamId = await teamOf(owner);
      await newMember(world, owner, teamId, 'member');
      const page = await account(owner, '?tab=delete');
      await page.getByText('You are its only owner').waitFor();
      await expectSound(page, 'account-delete-blocked', () => page.getByText('You are its only owner').waitFor());
      await button(page, 'Delete account').hover();
      await page.getByText('First give another owner to every team').waitFor();
      await button(page, 'Delete account').click({ force: true });
      expect(await dialog(page).count()).to.equal(0);
      const way = await page.getByRole('link', { name: 'Open the team' }).getAttribute('href');
      expect(way).to.contain(`/team?team=${teamId}`);
    });
  });
});
