// plays, stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { importCsv } from '../support/imports.ts';
import { makeHook } from '../support/makeHook.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { IPHONE, newAddress, sdkOf } from '../support/sdk.ts';
import { firstTenant, makeTenant, type Tenant } from '../support/tenants.ts';
import { useWorld } from '../support/world.ts';

describe('an address that names a thing of another project than the one used last', () => {
  const world = useWorld();
  const pages = usePages(world);
  let mine: Tenant;
  let receiver: Receiver;
  let theirs: Tenant;
  const paths: Record<string, string> = {};

  after(() => receiver.close());
  before(async () => {
    receiver = await startReceiver();
    mine = await firstTenant(world);
    theirs = await makeTenant(world, mine.teamId);
    const { api } = theirs;
    const made = async (path: string, body: object) => (await api('POST', path, body)).body.id as string;
    const link = await made('/links', { destination: 'https://example.com/', slug: 'of-neighbours' });
    const { id: webhook } = await makeHook(api, { url: receiver.url });
    paths.link = `/links/${link}`;
    paths['form of a link'] = `/links/${link}/edit`;
    paths['copy of a link'] = `/links/new?from=${link}`;
    paths.webhook = `/webhooks/${webhook}?tab=settings`;
    paths['log of a webhook'] = `/webhooks/${webhook}/deliveries`;
    paths.domain = `/domains/${await made('/domains', { hostname: 'go.neighbours.example' })}`;
    paths.import = `/imports/${(await importCsv(api, 'destination\nhttps://example.com/imported\n')).id}`;
    const sdk = await sdkOf(theirs);
    await sdk.open({ install_id: randomUUID(), ...IPHONE.device, app_version: '1.0' }, { from: newAddress() });
    paths.install = `/apps/installs/${(await api('GET', '/installs')).body.data[0].id}`;
  });

  it('leads to the project of the thing, with its header, its lists and its way to a new link', async () => {
    const page = await pages.open();
    pages.expectFault('404');
    await page.goto('/app/account/look');
    for (const [thing, path] of Object.entries(paths)) {
      await page.evaluate(`localStorage.setItem('svc.project', '"${mine.projectId}"')`);
      await page.goto(`/app${path}`);
      await page.getByRole('button', { name: /^Project: Neighbours/ }).waitFor();
      await page.locator('#content [aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(new URL(page.url()).searchParams.get('project'), thing).to.equal(theirs.projectId);
      const way = await page.getByRole('link', { name: 'Create link' }).first().getAttribute('href');
      expect(way, thing).to.contain(theirs.projectId);
    }
    await page.goto(`/app${paths.link}`);
    await page.getByRole('link', { name: 'All links' }).click();
    await page
      .getByRole('link', { name: /of-neighbours/ })
      .first()
      .waitFor();
  });
});
