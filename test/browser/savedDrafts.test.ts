// plays, stores: any
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { recordsIn, saveLink } from '../support/savedForms.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

describe('a draft of the form of a link', () => {
  const world = useWorld({ LINK_DOMAIN: 'go.localhost' });
  const pages = usePages(world);
  const { create, rest } = recordsIn(world);

  it('that an earlier version kept is shown as far as it can be, and saved', async () => {
    const { id } = await create('/links', { destination: 'https://example.com/draft', routing: { open_app: true } });
    const before = await rest(`/links/${id}`, 'title');
    const page = await pages.open();
    await page.goto('/app/links');
    const draft = {
      title: 'kept before',
      routing: { openApp: false, ios: {}, android: {}, rules: [{ id: 'r1', conditions: [] }], split: [] },
    };
    await page.evaluate(`sessionStorage.setItem('svc.draft.link.${id}', ${JSON.stringify(JSON.stringify(draft))})`);
    await page.goto(`/app/links/${id}/edit`);
    await page.getByText('is restored').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('kept before');
    await saveLink(page);
    expect((await world.api('GET', `/links/${id}`)).body.title).to.equal('kept before');
    expect(await rest(`/links/${id}`, 'title')).to.equal(before);
  });

  it('of an earlier version of a link is not saved over the present one', async () => {
    const { id } = await create('/links', { destination: 'https://example.com/stale', title: 'first' });
    const page = await pages.open();
    await page.goto(`/app/links/${id}/edit`);
    await page.getByLabel('Title', { exact: true }).fill('mine');
    await until(() => page.evaluate<boolean>(`'svc.draft.link.${id}' in sessionStorage`), 'the draft');
    await world.api('PATCH', `/links/${id}`, { title: 'theirs' });
    await page.goto(`/app/links/${id}/edit`);
    await page.getByText('is restored').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).press('Enter');
    await page.getByText('Someone else changed this link').waitFor();
    expect((await world.api('GET', `/links/${id}`)).body.title).to.equal('theirs');
  });
});
