// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { invite, newMember, newPerson, type SignedIn, teamOf, theOwner } from '../support/people.ts';
import { useSettings, useWorld } from '../support/world.ts';

const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id } }';
const LEAVE_SURVIVAL = 'mutation ($teamId: ID!) { leaveSurvivalMode(teamId: $teamId) { id } }';

describe('the pages of a team', () => {
  const world = useWorld();
  useSettings({ signUp: 'open' });
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };
  let projectId: string;

  before(async () => {
    owner = await theOwner(world);
    const { data } = await owner.ask('{ projects { data { id } } }');
    projectId = data.projects.data[0].id;
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  describe('members', () => {
    it('are listed; the last owner is explained, and others get another role or are removed with their keys', async () => {
      const admin = await newMember(world, owner, owner.teamId, 'admin');
      await admin.ask(CREATE_KEY, { input: { projectId, name: 'Nightly export' } });
      const page = await pages.open();
      await page.goto('/app/team');
      const mine = row(page, world.email);
      await mine.getByText('A team needs an owner.').first().waitFor({ state: 'attached' });
      expect(await mine.getByRole('combobox').count()).to.equal(0);
      await expectSound(page, 'team-members', () => row(page, admin.email).getByText('Off').waitFor());
      await page.getByRole('combobox', { name: `Role of ${admin.email}` }).click();
      await page.getByRole('option', { name: 'viewer' }).click();
      await page.getByText(`${admin.email} is now viewer`).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(`${admin.email} is now admin`).waitFor();
      await row(page, admin.email).getByRole('button', { name: 'Remove' }).click();
      await inDialog(page, 'Remove').click();
      await page.getByRole('dialog').getByText('Nightly export').waitFor();
      await expectSound(page, 'team-ended-keys', () => page.getByRole('dialog').getByText('Nightly export').waitFor());
      await button(page, 'Keep keys').click();
      await page.waitForURL(/\/app\/api/);
      await row(page, 'Nightly export').getByRole('button', { name: 'Keep' }).waitFor();
    });

    it('are invited by a link that is shown once, and the invitation is taken back', async () => {
      const page = await pages.open();
      await page.goto('/app/team');
      await button(page, 'Invite').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill(world.email);
      await inDialog(page, 'Invite').click();
      await dialog.getByText('is a member of this team already').waitFor();
      await dialog.getByLabel('Email').fill('grace@example.com');
      await dialog.getByRole('radio', { name: 'viewer' }).check();
      await expectSound(page, 'team-invite', () => dialog.getByRole('radio', { name: 'viewer' }).waitFor());
      await inDialog(page, 'Invite').click();
      const link = await dialog.getByText(/\/invitation#token=/).textContent();
      await dialog.getByText('No email was sent').waitFor();
      await expectSound(page, 'team-invited');
      await dialog.getByLabel('I have stored it').check();
      await inDialog(page, 'Close').click();
      await row(page, 'grace@example.com').getByText(world.email).waitFor();
      expect(await page.content()).not.to.contain(link);
      await button(page, 'Take back the invitation of grace@example.com').click();
      await inDialog(page, 'Take back').click();
      await page.getByText('Nobody is invited at the moment.').waitFor();
    });

    it('are told in words when too many were invited', async () => {
      for (let sent = 0; sent < 3; sent += 1) await invite(owner, { teamId: owner.teamId, email: 'often@example.com' });
      const page = await pages.open();
      await page.goto('/app/team');
      await button(page, 'Invite').click();
      await page.getByRole('dialog').getByLabel('Email').fill('often@example.com');
      await inDialog(page, 'Invite').click();
      await page.getByText('Too many invitations').waitFor();
      expect(await page.getByRole('dialog').getByRole('alert').textContent()).not.to.match(/T\d\d:/);
    });

    it('who may only look see everybody and can leave', async () => {
      const viewer = await newMember(world, owner, owner.teamId, 'viewer');
      const page = await pages.open({ cookie: viewer.cookie });
      await page.goto('/app/team');
      await row(page, world.email).getByText('owner', { exact: true }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Second factor' }).count()).to.equal(0);
      await button(page, 'Invite').hover();
      await page.getByText('Your role (viewer) does not allow this').waitFor();
      await page.goto('/app/team?tab=data');
      await button(page, 'Download archive').hover();
      await page.getByText('Only owners can download the archive.').waitFor();
      await page.goto('/app/team');
      await row(page, viewer.email).getByRole('button', { name: 'Leave team' }).click();
      await inDialog(page, 'Leave team').click();
      await page.getByText('You are not in a team').first().waitFor();
    });
  });

  it('rename the team, and enter and leave survival mode', async () => {
    const page = await pages.open();
    await page.goto('/app/team?tab=settings');
    await page.getByLabel('Team name').fill('Analytical Engines');
    await button(page, 'Save changes').click();
    await page.getByRole('heading', { level: 1, name: 'Analytical Engines' }).waitFor();
    await button(page, 'Enter survival mode').click();
    const enter = inDialog(page, 'Enter survival mode');
    await page.getByRole('dialog').getByLabel('Reason').fill('A key was leaked');
    expect(await enter.isDisabled()).to.equal(true);
    await page.getByLabel('Type “Analytical Engines” to confirm').fill('Analytical Engines');
    await expectSound(page, 'team-survival-dialog', () => enter.waitFor());
    await enter.click();
    try {
      await page.getByText('Survival mode: A key was leaked').waitFor();
      await page.getByText('Survival mode is on').waitFor();
      await expectSound(page, 'team-survival', () => button(page, 'Leave survival mode').first().waitFor());
      await page.goto('/app/links');
      await button(page, 'Leave survival mode').click();
      await page.getByText('Survival mode: A key was leaked').waitFor({ state: 'detached' });
    } finally {
      await owner.ask(LEAVE_SURVIVAL, { teamId: owner.teamId });
    }
  });

  it('notice survival mode that somebody else has begun, and its end', async () => {
    const page = await pages.open();
    page.setDefaultTimeout(60_000);
    await page.goto('/app/settings');
    await page.getByLabel('Name').fill('Frozen');
    const enter =
      'mutation ($teamId: ID!, $reason: String!) { enterSurvivalMode(teamId: $teamId, reason: $reason) { id } }';
    await owner.ask(enter, { teamId: owner.teamId, reason: 'Begun elsewhere' });
    try {
      await page.getByLabel('Name').press('Enter');
      await page.getByText('Survival mode: Begun elsewhere').waitFor();
    } finally {
      await owner.ask(LEAVE_SURVIVAL, { teamId: owner.teamId });
    }
    await page.getByText('Survival mode: Begun elsewhere').waitFor({ state: 'detached' });
  });

  it('show the limits of a new team, and the choice among several teams', async () => {
    const person = await newPerson(world, { teamName: 'First' });
    await person.ask('mutation { createTeam(name: "Second") { id } }');
    const page = await pages.open({ cookie: person.cookie });
    await page.goto(`/app/team?tab=settings&team=${await teamOf(person)}`);
    await page.getByText('Limits of a new team').waitFor();
    await page.getByText(/of 500/).waitFor();
    await expectSound(page, 'team-settings', () => page.getByText('Limits of a new team').waitFor());
    await page.getByRole('combobox', { name: 'Team' }).click();
    await page.getByRole('option', { name: 'First' }).click();
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    expect(page.url()).to.contain('tab=settings');
  });

  it('create a team, or say why not', async () => {
    const person = await newPerson(world, { teamName: 'Engines' });
    const page = await pages.open({ cookie: person.cookie });
    await page.goto('/app/teams/new');
    await page.getByLabel('Team name').fill('Looms');
    await expectSound(page, 'team-new', () => button(page, 'Create team').waitFor());
    await button(page, 'Create team').click();
    await page.waitForURL(/project/);
    const { data } = await person.ask('{ teams { data { name } } }');
    expect(data.teams.data.map(({ name }: { name: string }) => name)).to.include('Looms');
  });

  it('download everything, restore a project, and delete the team with the way back', async () => {
    const person = await newPerson(world, { teamName: 'Short-lived' });
    const teamId = await teamOf(person);
    const { data } = await person.ask('{ projects { data { id name } } }');
    const [project] = data.projects.data;
    const password = 'correct horse battery';
    await person.ask('mutation ($id: ID!, $password: String!) { deleteProject(id: $id, password: $password) { id } }', {
      id: project.id,
      password,
    });
    const page = await pages.open({ cookie: person.cookie });
    await page.goto(`/app/team?team=${teamId}`);
    await page.getByRole('link', { name: 'Show deleted projects' }).click();
    const archive = page.getByRole('link', { name: 'Download archive' });
    expect(await archive.getAttribute('href')).to.equal(`/graphql/teams/${teamId}/archive.zip`);
    await expectSound(page, 'team-data', () => row(page, project.name).waitFor());
    await button(page, `Restore ${project.name}`).click();
    await page.getByText('There is no deleted project').waitFor();
    await button(page, 'Delete team').click();
    await page.getByText('This is deleted with the team:').waitFor();
    await page.getByLabel('Your password').fill('wrong');
    await inDialog(page, 'Delete team').click();
    await page
      .getByRole('dialog')
      .getByText(/password/i)
      .nth(1)
      .waitFor();
    await expectSound(page, 'team-delete', () => page.getByText('This is deleted with the team:').waitFor());
    await page.getByLabel('Your password').fill(password);
    await inDialog(page, 'Delete team').click();
    await page.getByText('Short-lived is deleted.').waitFor();
    await page.getByText('You are not in a team').first().waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Short-lived is restored').waitFor();
    expect(await teamOf(person)).to.equal(teamId);
  });

  describe('the audit log', () => {
    it('names what changed from what to what, and keeps its filters in the address', async () => {
      const { body: link } = await world.api('POST', '/links', { destination: 'https://example.com', slug: 'audited' });
      await world.api('PATCH', `/links/${link.id}`, { title: '=HYPERLINK("x")' });
      const page = await pages.open();
      await page.goto('/app/team/audit');
      await page.getByText('Link changed').first().waitFor();
      await expectSound(page, 'team-audit', () => page.getByText('=HYPERLINK("x")').first().waitFor());
      await page.getByRole('combobox', { name: 'What' }).click();
      await page.getByRole('option', { name: 'Link changed' }).click();
      await page.waitForURL(/action=link.updated/);
      await page.keyboard.press('Escape');
      await button(page, /^Only what happened to/)
        .first()
        .click();
      await page.waitForURL(new RegExp(`subject=${link.id}`));
      await page.reload();
      await row(page, '=HYPERLINK("x")').waitFor();
      expect(await page.getByRole('row').count()).to.equal(2);
      const download = page.waitForEvent('download');
      await button(page, 'Download CSV').click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
      const csv = Buffer.concat(chunks).toString();
      expect(csv)
        .to.match(/^\uFEFFcreated_at,actor_kind/)
        .and.to.contain('link.updated');
      expect(csv.trim().split('\r\n').length).to.equal(2);
      // Digit by digit, as people do, who pass the year 2 on their way to 2040.
      await page.getByLabel('From', { exact: true }).focus();
      await page.keyboard.type('01012040', { delay: 120 });
      await page.waitForURL(/created_after=20(39-12-31|40-01-01)/);
      await page.getByText('Nothing matches these filters.').waitFor();
      await button(page, 'Clear filters').click();
      await page.getByText('Link created').first().waitFor();
      await page
        .getByRole('link', { name: /audited/ })
        .first()
        .click();
      await page.waitForURL(new RegExp(`/links/${link.id}`));
    });
  });
});
