// plays, stores: any
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { connect } from '../support/mcp/client.ts';
import { useWorld } from '../support/world.ts';

const BY_CODE = 'Managed by code: marketing';
const OVERWRITTEN = 'the next apply overwrites it';

describe('what is managed by code or an assistant', () => {
  const world = useWorld({ LINK_DOMAIN: 'go.localhost' });
  const pages = usePages(world);

  const make = async (path: string, body: object) => {
    const reply = await world.api('POST', `/${path}`, { managed_by: 'code:marketing', ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body.id as string;
  };

  it('is said of a link, and its form warns that a change will not last', async () => {
    const id = await make('links', { destination: 'https://www.example.com/' });
    const page = await pages.open();
    await page.goto(`/app/links/${id}`);
    await page.getByText(BY_CODE).waitFor();
    expect(await page.getByText(OVERWRITTEN).count()).to.equal(0);
    await page.goto(`/app/links/${id}/edit`);
    await expectSound(page, 'managed-link', () => page.getByText(OVERWRITTEN).waitFor());
    await world.api('PATCH', `/links/${id}`, { managed_by: 'terraform' });
    await page.goto(`/app/links/${id}`);
    await page.getByText('Managed by terraform').waitFor();
    await world.api('PATCH', `/links/${id}`, { managed_by: null });
    await page.goto(`/app/links/${id}/edit`);
    await page
      .getByRole('button', { name: 'Save changes' })
      .or(page.getByLabel('Destination').first())
      .first()
      .waitFor();
    expect(await page.getByText('Managed by').count()).to.equal(0);
  });

  it('is said of tags, domains and webhooks', async () => {
    const domain = await make('domains', { hostname: 'managed.example.com' });
    const webhook = await make('webhooks', { url: 'http://127.0.0.1:9999/managed' });
    await make('tags', { name: 'managed tag' });
    const page = await pages.open();
    await page.goto('/app/settings?tab=tags');
    await expectSound(page, 'managed-tags', () => page.getByText(BY_CODE).waitFor());
    await page
      .getByRole('group', { name: /managed tag/ })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('dialog').getByText(OVERWRITTEN).waitFor();
    await page.goto(`/app/domains/${domain}`);
    await expectSound(page, 'managed-domain', () => page.getByText(OVERWRITTEN).waitFor());
    await page.goto(`/app/webhooks/${webhook}`);
    await page.getByText(BY_CODE).waitFor();
    await page.goto(`/app/webhooks/${webhook}?tab=settings`);
    await expectSound(page, 'managed-webhook', () => page.getByText(OVERWRITTEN).waitFor());
  });

  it('is told of what an assistant did: through which program, with which tool', async () => {
    const assistant = await connect(world.origin, world.secretKey, { name: 'claude-code' });
    await assistant.ask('create_links', { links: [{ destination: 'https://www.example.com/by-an-assistant' }] });
    await assistant.close();
    const page = await pages.open();
    await page.goto('/app/team/audit');
    await page.getByText('through an assistant: claude-code').first().waitFor();
    await page.getByText('surface mcp, tool create_links, client claude-code').first().waitFor();
  });
});
