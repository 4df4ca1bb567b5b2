// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { HealthCheck } from '../../src/models/HealthCheck.ts';
import { HealthEntry } from '../../src/models/HealthEntry.ts';
import { HealthTurn } from '../../src/models/HealthTurn.ts';
import { goWithin, usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { makeAlert } from '../support/operations.ts';
import { newMember, type SignedIn, theOwner } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeTenant, memberSession, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('the pages of health and alerts', () => {
  const world = useWorld();
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };
  let mine: Tenant;
  let receiver: Receiver;

  before(async () => {
    owner = await theOwner(world);
    receiver = await startReceiver((_, response) => response.writeHead(500).end());
  });
  after(() => receiver.close());
  beforeEach(async () => {
    mine = await makeTenant(world, owner.teamId);
  });

  const ago = (ms: number) => new Date(Date.now() - ms);
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const addressOf = (path: string) => `/app${path}${path.includes('?') ? '&' : '?'}project=${mine.projectId}`;
  const open = (page: Page, path: string) => page.goto(addressOf(path));
  const alertsOf = async (filter: string) =>
    (
      await owner.ask(`query ($id: ID!) { alerts(projectId: $id, ${filter}) { data { title } } }`, {
        id: mine.projectId,
      })
    ).data.alerts.data.map(({ title }: { title: string }) => title);

  /** A check that has failed since yesterday, after a failure a week ago, as runs leave them. */
  async function failWebhooks(): Promise<void> {
    const { projectId } = mine;
    const check = { projectId, name: 'webhooks', status: 'fail', message: 'https://hooks.example fails.' };
    // Two hours of one day, whatever time it is now.
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - 7 * DAY_MS + 12 * HOUR_MS;
    const entries = [
      { status: 'pass', since: ago(20 * DAY_MS), until: new Date(noon) },
      { status: 'fail', since: new Date(noon), until: new Date(noon + 2 * HOUR_MS) },
      { status: 'pass', since: new Date(noon + 2 * HOUR_MS), until: ago(DAY_MS) },
      { status: 'fail', since: ago(DAY_MS), until: null },
    ];
    await inTransaction(async (transaction) => {
      await HealthCheck.create({ ...check, since: ago(DAY_MS), failures: 2, involved: true }, { transaction });
      const rows = entries.map((entry) => ({ id: newId('hlt'), ...check, ...entry }));
      await HealthEntry.bulkCreate(rows, { transaction });
      const turn = { projectId, dueAt: new Date(Date.now() + DAY_MS), ranAt: ago(HOUR_MS) };
      await HealthTurn.upsert(turn, { transaction });
    });
  }

  it('says that nothing was checked yet, runs the checks, and shows their result', async () => {
    const page = await pages.open();
    await open(page, '/health');
    await page.getByText('The checks have not run yet').waitFor();
    await button(page, 'Run now').click();
    await row(page, 'Publishable key').getByText('The project has no apps.').waitFor();
    await page.getByText('Last run').waitFor();
  });

  it('shows what fails, since when and what to do, and the last 30 days as bars and as a table', async () => {
    await failWebhooks();
    const page = await pages.open();
    await open(page, '/health?check=webhooks');
    const webhooks = row(page, 'Webhooks are on');
    await webhooks.getByText('Failing').waitFor();
    await webhooks.getByText('https://hooks.example fails.').waitFor();
    expect(await page.locator('[aria-current="true"]').textContent()).to.include('Webhooks');
    const strip = page.getByRole('application', { name: /^Webhooks\. Failing on 3 days/ });
    await strip.focus();
    await page.keyboard.press('End');
    await page.getByText(/: Failing for/).waitFor();
    await expectSound(page, 'health', () => strip.waitFor());
    await button(page, 'Table').click();
    const history = page.getByRole('table', { name: 'Last 30 days' });
    await history.getByText('Still so').waitFor();
    expect(await history.getByRole('row').count()).to.equal(3);
    await webhooks.getByRole('link', { name: 'Open webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  it('lists alerts by filters that are in the address, and acknowledges and resolves them in place', async () => {
    for (const title of ['Alpha', 'Beta', 'Gamma']) await makeAlert(mine, { title, severity: 'warning' });
    await makeAlert(mine, { title: 'Worst', severity: 'critical', kind: 'health' });
    const page = await pages.open();
    await open(page, '/alerts');
    await row(page, 'Alpha').getByRole('button', { name: 'Acknowledge' }).click();
    await row(page, 'Alpha').waitFor({ state: 'detached' });
    await row(page, 'Beta').getByRole('button', { name: 'Resolve' }).click();
    await row(page, 'Beta').waitFor({ state: 'detached' });
    await expectSound(page, 'alerts', () => row(page, 'Worst').waitFor());
    await page.getByLabel('Severity').selectOption({ label: 'Critical' });
    await row(page, 'Gamma').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('severity')).to.equal('critical');
    await row(page, 'Worst').getByRole('link', { name: 'Health checks' }).waitFor();
    await page.getByLabel('Severity').selectOption({ label: 'All' });
    await button(page, 'Acknowledge all 2').click();
    await page.getByText('No open alerts').waitFor();
    expect(await alertsOf('status: acknowledged')).to.have.members(['Alpha', 'Gamma', 'Worst']);
    expect(await alertsOf('status: resolved')).to.deep.equal(['Beta']);
    await button(page, 'Show all alerts').click();
    await row(page, 'Beta').getByText('Resolved').waitFor();
    await page.getByLabel('Kind').selectOption({ label: 'Domain' });
    await row(page, 'Worst').waitFor({ state: 'detached' });
  });

  it('counts open alerts of the team at the bell, and leads to the newest and to all of them', async () => {
    const mates = await makeTenant(world);
    const joined = await memberSession(world, mates.teamId, 'member');
    await makeAlert({ teamId: mates.teamId, projectId: null }, { title: 'Of the whole team', kind: 'security' });
    await makeAlert(mates, { title: 'Of a project' });
    const page = await pages.open({ cookie: joined });
    await page.goto('/app/webhooks');
    await button(page, 'Alerts: 2 open').click();
    await page.getByRole('menuitem', { name: 'Of a project' }).waitFor();
    await expectSound(page, 'bell', () => page.getByRole('menuitem', { name: 'Of a project' }).waitFor());
    await page.getByRole('menuitem', { name: 'All alerts' }).click();
    await row(page, 'Of the whole team').getByRole('button', { name: 'Acknowledge' }).click();
    await button(page, 'Alerts: 1 open').waitFor();
    expect(new URL(page.url()).searchParams.get('team')).to.equal(mates.teamId);
  });

  it('shows unusual traffic against what was expected, with its hours and the way to analytics', async () => {
    const start = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS).toISOString();
    const query = `group_by=time&granularity=hour&start=${start}&end=${new Date().toISOString()}&country=DE`;
    const details = {
      direction: 'drop',
      hour: start,
      started_at: start,
      ended_at: null,
      ...{ actual: 4, expected: 1234, low: 1100, high: 1400, score: -9 },
      explanation: { dimension: 'country', key: 'DE', from: 1000, to: 2, share: 0.8 },
      analytics: `/api/v1/analytics?${query}`,
    };
    const id = await makeAlert(mine, { kind: 'traffic_anomaly', title: 'Fewer clicks than usual', details });
    const page = await pages.open();
    // Mails name the alert alone: the page finds its project.
    await page.goto(`/app/alerts/${id}`);
    await page.getByText('1,234 (usually 1,100 to 1,400)').waitFor();
    await page.getByText('Country: Germany (1,000 expected, 2 counted)').waitFor();
    await page.getByRole('application', { name: /^Clicks/ }).waitFor();
    await expectSound(page, 'alert-anomaly', () => page.getByRole('application').waitFor());
    await page.getByRole('link', { name: 'Open in analytics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('country'), searchParams.get('project')]).to.deep.equal(['DE', mine.projectId]);
  });

  it('shows the details of every other kind, and what it does not know as names and values', async () => {
    const link = (await mine.api('POST', '/links', { destination: 'https://example.com' })).body;
    const hook = (await mine.api('POST', '/webhooks', { url: receiver.url, event_types: ['*'] })).body;
    await mine.api('POST', `/webhooks/${hook.id}/test`, { type: 'link.created' });
    const checks = [{ name: 'webhooks', status: 'fail', message: 'It fails.', since: null }];
    const keys = [{ id: 'key_1', project_id: mine.projectId, name: 'Shop', last_four: 'abcd', expires_at: null }];
    const kinds: [string, object, string | RegExp][] = [
      ['health', { details: { checks } }, 'Fix the receiver'],
      [
        'webhook_disabled',
        { webhookId: hook.id, details: { url: hook.url, reason: 'failures', consecutive_failures: 20 } },
        '20 attempts in a row failed',
      ],
      [
        'link_flagged',
        { linkId: link.id, details: { short_url: link.short_url, reason: 'It is on a list.' } },
        'It is on a list.',
      ],
      ['domain', { details: { domain_id: 'dom_1', hostname: 'go.example', domain_kind: 'link' } }, 'Short links'],
      ['security', { details: { keys } }, '…abcd'],
      ['billing', { details: { of: 'events', limit: 1000, day: '2026-11-24' } }, 'Events from apps'],
      ['traffic_anomaly', { details: {} }, 'Actual clicks'],
    ];
    const page = await pages.open();
    await open(page, '/alerts');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    for (const [kind, more, text] of kinds) {
      const id = await makeAlert(mine, { kind, title: `An alert: ${kind}`, ...more });
      await goWithin(page, addressOf(`/alerts/${id}`));
      await page.getByText(text).first().waitFor();
      if (kind === 'webhook_disabled') {
        // Another try may have failed meanwhile.
        const attempt = row(page, 'The endpoint answered 500').first();
        await expectSound(page, `alert-${kind}`, () => attempt.waitFor());
      }
    }
    await button(page, 'Resolve').click();
    await button(page, 'Resolve').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('An alert: traffic_anomaly');
    await open(page, `/alerts/${newId('alt')}`).catch(() => {});
    await page.getByText('It does not exist, or you may not see it').waitFor();
  });

  it('turns mails about a kind of alerts on and off, at once and with a way back', async () => {
    const member = await newMember(world, owner, owner.teamId, 'member');
    const chosen = async () =>
      (
        await member.ask('query ($id: ID!) { mailPreferences(teamId: $id) { kinds { kind on } } }', {
          id: owner.teamId,
        })
      ).data.mailPreferences.kinds
        .filter(({ on }: { on: boolean }) => on)
        .map(({ kind }: { kind: string }) => kind);
    const page = await pages.open({ cookie: member.cookie });
    await page.goto(`/app/account/mail?team=${owner.teamId}`);
    await page.getByText('This installation does not send email.').waitFor();
    const security = page.getByRole('switch', { name: /Security/ });
    await expectSound(page, 'mail', () => security.waitFor());
    await security.click();
    await page.getByText('You will get emails about this: Security').waitFor();
    expect(await chosen()).to.deep.equal(['security']);
    await button(page, 'Undo').click();
    await page.getByText('Undone').waitFor();
    expect(await chosen()).to.deep.equal([]);
    expect(await security.isChecked()).to.equal(false);
    const id = await makeAlert({ teamId: owner.teamId, projectId: null }, { title: 'Of the team', kind: 'domain' });
    await page.goto(`/app/alerts/${id}`);
    const domain = page.getByRole('switch', { name: /Domain/ });
    await domain.waitFor();
    // In another tab.
    const choose = 'mutation ($id: ID!) { setMailPreferences(teamId: $id, kinds: [security]) { kinds { on } } }';
    await member.ask(choose, { id: owner.teamId });
    await domain.click();
    await page.getByText('You will get emails about this: Domain').waitFor();
    expect(await chosen()).to.have.members(['domain', 'security']);
  });

  it('tells viewers, and everybody in survival mode, why they cannot act', async () => {
    await failWebhooks();
    await makeAlert(mine, { title: 'Seen' });
    const viewer = await newMember(world, owner, owner.teamId, 'viewer');
    const page = await pages.open({ cookie: viewer.cookie });
    await open(page, '/health');
    await button(page, 'Run now').hover();
    await page.getByText('Your role (viewer) does not allow this').waitFor();
    await open(page, '/alerts');
    expect(await row(page, 'Seen').getByRole('button', { name: 'Resolve' }).getAttribute('aria-disabled')).to.equal(
      'true',
    );
    const enter = 'mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "a test") { id } }';
    const leave = 'mutation ($id: ID!) { leaveSurvivalMode(teamId: $id) { id } }';
    await owner.ask(enter, { id: owner.teamId });
    try {
      const mate = await pages.open();
      await open(mate, '/health');
      await button(mate, 'Run now').hover();
      await mate.getByText('The team is in survival mode').waitFor();
    } finally {
      await owner.ask(leave, { id: owner.teamId });
    }
  });

  it('says what went wrong when the checks cannot be read, and tries again', async () => {
    await failWebhooks();
    const page = await pages.open();
    pages.expectFault('500');
    await page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('query Health(')
        ? route.fulfill({ status: 500, json: { errors: [{ message: 'Broken', extensions: { code: 'broken' } }] } })
        : route.continue(),
    );
    await open(page, '/health');
    await page.getByRole('alert').getByText('Broken').waitFor();
    await page.unroute('**/graphql');
    await button(page, 'Try again').click();
    await row(page, 'Webhooks are on').waitFor();
  });
});
