// plays, stores: any
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { useWorld } from '../support/world.ts';

describe('signing in at the dashboard', () => {
  const world = useWorld();
  const pages = usePages(world);

  it('leads back to the address that was asked for', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/app/links?search=spring');
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(world.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).to.equal('spring');
  });

  it('says that email or password is wrong, and keeps the email', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/app/sign-in');
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).to.equal(world.email);
  });

  it('never leads to another site', async () => {
    const page = await pages.open();
    await page.goto('/app/sign-in?to=https://evil.example/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).origin).to.equal(world.origin);
    await page.goto('/app/sign-in?to=//evil.example/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).origin).to.equal(world.origin);
  });

  it('takes the token of an invitation out of the address at once', async () => {
    const page = await pages.open({ email: null });
    await page.goto('/app/reset-password#token=secret-token');
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).not.to.contain('secret');
  });

  it('ends the session of the other tabs too', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    const other = await page.context().newPage();
    await other.goto('/app/links');
    await other.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(other.url()).searchParams.get('to')).to.match(/^\/links/);
  });

  it('is accessible and fits the window', async () => {
    const page = await pages.open({ email: null });
    for (const path of ['sign-in', 'forgot-password', 'sign-up', 'reset-password#token=x']) {
      await page.goto(`/app/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await expectSound(page, path.replace(/#.*/, ''));
    }
  });

  it('says what it needs where JavaScript is off', async () => {
    const page = await pages.open({ email: null, javaScriptEnabled: false });
    // The browser refuses to load scripts, as if a policy of the page forbade them.
    pages.expectFault(/failed: .*\.js$/);
    await page.goto('/app/links');
    const text = page.locator('noscript');
    expect(await text.isVisible()).to.equal(true);
    expect(await text.textContent()).to.contain('The dashboard needs JavaScript.');
  });
});
