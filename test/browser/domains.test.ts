// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { addDomain, proveByTxt, TARGET } from '../support/domains.ts';
import { expectSound } from '../support/expectSound.ts';
import { NameServer } from '../support/nameServer.ts';
import { newMember, theOwner } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

describe('the pages of domains', () => {
  let names: NameServer;
  const settings: Record<string, string> = { LINK_DOMAIN: TARGET };
  before(async () => {
    names = await NameServer.start();
    names.zones[TARGET] = { A: ['198.18.0.7'] };
    settings.DNS_SERVERS = names.servers.join(',');
  });
  after(() => names.close());
  const world = useWorld(settings);
  const pages = usePages(world);

  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  it('add a domain, say what to set beside what was found, and notice when it is set', async () => {
    const page = await pages.open();
    await page.goto('/app/domains');
    await page.getByText('Short links on your own domain').waitFor();
    await button(page, 'Add domain').first().click();
    const field = page.getByRole('textbox', { name: 'Domain' });
    await field.fill('go.müller.example');
    await page.getByText('DNS name: go.xn--mller-kva.example').waitFor();
    await field.fill('not a domain');
    await button(page, 'Add domain').click();
    await page
      .getByText(/host name|Must/)
      .first()
      .waitFor();
    await field.fill('go.customer.com');
    await button(page, 'Add domain').click();
    await page.waitForURL(/\/domains\/dom_/);
    await row(page, 'TXT').getByText('or only _svc-challenge.go').waitFor();
    names.zones['go.customer.com'] = { CNAME: 'elsewhere.example' };
    await button(page, 'Check now').click();
    await row(page, 'CNAME').getByText('Different').waitFor();
    await expectSound(page, 'domain', () => row(page, 'TXT').getByText('Not set yet').waitFor());
    const [domain] = (await world.api('GET', '/domains')).body.data;
    names.zones['go.customer.com'] = { CNAME: TARGET };
    proveByTxt(names, domain);
    await button(page, 'Check now').click();
    await page.getByText('go.customer.com is verified').waitFor();
    await button(page, 'Make it the default').click();
    await page.getByText('Default for new links').first().waitFor();
    await page.goto('/app/domains');
    await expectSound(page, 'domains', () => page.getByText('Default for new links').waitFor());
  });

  it('say where visitors go without a link, with the problem at its field', async () => {
    const page = await pages.open();
    const { id } = await addDomain(world.api, 'web.customer.com');
    await page.goto(`/app/domains/${id}`);
    await page.getByLabel('Unknown links').fill('nonsense');
    await button(page, 'Save destinations').click();
    await page
      .getByText(/Must be/)
      .first()
      .waitFor();
    await page.getByLabel('Unknown links').fill('https://example.com/missing');
    await button(page, 'Save destinations').click();
    await page.getByText('Visitors are sent there within a second.').waitFor();
    const { body } = await world.api('GET', `/domains/${id}`);
    expect(body.not_found_destination).to.equal('https://example.com/missing');
    await button(page, 'Delete domain').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }).click();
    await page.getByText('Domain deleted').waitFor();
    expect((await world.api('GET', `/domains/${id}`)).status).to.equal(404);
  });

  it('show members what there is, and say why they cannot change it', async () => {
    const owner = await theOwner(world);
    const member = await newMember(world, owner, owner.teamId, 'viewer');
    const { id } = await addDomain(world.api, 'app.customer.com', { kind: 'web' });
    const page = await pages.open({ cookie: member.cookie });
    await page.goto(`/app/domains/${id}`);
    await row(page, 'FILE').getByText('Download the file').waitFor();
    await expectSound(page, 'domain-web', () => row(page, 'FILE').waitFor());
    await button(page, 'Check now').hover();
    await page.getByText('Your role (viewer) does not allow this').waitFor();
  });
});
