// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { codeFor, invite, newPerson, PASSWORD, type SignedIn, theOwner, tokenIn } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

describe('the states of the entrance', () => {
  const world = useWorld({ SIGN_IN_ATTEMPTS: '3', SIGN_UPS_PER_HOUR: '1000' });
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };

  before(async () => {
    owner = await theOwner(world);
  });

  async function fill(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
  }

  it('asks for the second factor in place, takes a code with a space, and a recovery code once', async () => {
    const person = await newPerson(world);
    const begin = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret } }';
    const { secret } = (await person.ask(begin, { password: PASSWORD })).data.beginSecondFactor;
    const confirm = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
    const [recovery] = (await person.ask(confirm, { code: codeFor(secret) })).data.confirmSecondFactor;
    const page = await pages.open({ email: null });
    await page.goto('/app/sign-in');
    await fill(page, person.email, PASSWORD);
    const code = page.getByLabel('Code from your authenticator app');
    await code.waitFor();
    expect(await page.evaluate('document.activeElement.name || document.activeElement.autocomplete')).to.equal(
      'one-time-code',
    );
    expect(await code.getAttribute('autocomplete')).to.equal('one-time-code');
    await expectSound(page, 'second-factor');
    const shown = codeFor(secret, 1);
    await code.fill(`${shown.slice(0, 3)} ${shown.slice(3)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.context().clearCookies();
    await page.goto('/app/sign-in');
    await fill(page, person.email, PASSWORD);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  it('says until when somebody has to wait who has tried too often', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/app/sign-in');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await fill(page, 'nobody@example.com', `wrong ${attempt}`);
      await page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor();
    }
    await fill(page, 'nobody@example.com', 'wrong again');
    await page
      .getByRole('alert')
      .getByText(/Too many attempts\. Try again at (?:\w+ \d+, \d+, )?\d+:\d\d [AP]M \(in \d+ minutes?\)\./)
      .waitFor();
    await expectSound(page, 'throttled');
  });

  it('names both accounts when an invitation is for another one, and goes on after signing out', async () => {
    const { data } = await invite(owner, { teamId: owner.teamId, email: 'invited@example.com', role: 'admin' });
    const page = await pages.open();
    await page.goto(`/app/invitation#token=${tokenIn(data.createInvitation.url)}`);
    await page
      .getByText(`You are signed in as ${world.email}, but this invitation is for invited@example.com.`)
      .waitFor();
    expect(page.url()).not.to.contain('token');
    await expectSound(page, 'invitation-other');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  it('says what to do with links that are incomplete, used or unknown', async () => {
    const page = await pages.open({ email: null });
    for (const path of ['reset-password', 'invitation', 'confirm-email']) {
      await page.goto(`/app/${path}`);
      await page.getByText('This link is incomplete.').waitFor();
      await expectSound(page, `${path}-incomplete`);
      await page.goto(`/app/${path}?again#token=unknown-token-of-nobody`);
      if (path === 'reset-password') {
        await page.getByRole('textbox', { name: 'New password' }).fill('a password that is long');
        await page.keyboard.press('Enter');
      }
      await page.getByRole('alert').first().waitFor();
      await expectSound(page, `${path}-unknown`);
    }
  });

  it('offers the operator’s command where no mail is sent', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/app/forgot-password');
    await page.getByText('npm run admin -- reset-password').waitFor();
    await expectSound(page, 'forgot-no-mail');
  });

  it('says so when the service does not answer, and keeps what was written', async () => {
    const page = await pages.open({ email: null });
    pages.expectFault(/ERR_FAILED|failed: /);
    await page.goto('/app/sign-in');
    await page.getByLabel('Email').waitFor();
    await page.route('**/graphql', (route) => route.abort('failed'));
    await fill(page, world.email, world.password);
    await page.getByRole('alert').getByText('The service is not responding.').waitFor();
    await expectSound(page, 'sign-in-away');
    expect(await page.getByLabel('Email').inputValue()).to.equal(world.email);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
});
