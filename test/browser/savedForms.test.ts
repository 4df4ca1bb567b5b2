// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTransaction } from '../../src/db/transactions.ts';
import { Link } from '../../src/models/Link.ts';
import { goWithin, usePages } from '../support/browser.ts';
import { recordsIn, saveLink } from '../support/savedForms.ts';
import { useWorld } from '../support/world.ts';

type Record = { [name: string]: unknown };

const TO = 'https://example.com/to';
const rule = (when: object, more: object = {}) => ({ when, destination: TO, ...more });
const LISTS = {
  platform: ['android', 'ios'],
  device: ['tablet', 'mobile'],
  country: ['US', 'DE', 'AT'],
  language: ['pt-BR', 'de'],
  referrer_host: ['t.co', 'news.example.com'],
  query: [{ name: 'a=b' }, { name: 'v', value: '' }, { name: 'ref', value: 'x=1' }],
};
const TIMES = { after: '2026-01-01T00:00:59+01:00', before: '2099-10-25T02:30:00.250+02:00' };
/** What can be excluded beside all of these without excluding everybody. */
const OTHERS = {
  platform: ['windows', 'linux'],
  device: ['desktop'],
  country: ['FR', 'CH'],
  language: ['fr', 'it-CH'],
  referrer_host: ['other.example.com'],
  query: [{ name: 'no=b' }, { name: 'w', value: '' }],
  after: '2099-10-24T00:00:00.125Z',
  before: '2026-01-02T00:00:59+01:00',
};

/** Each shape of a link that the API can make. */
const LINKS: { [shape: string]: Record } = {
  'nothing but a destination': {},
  'a query that is not passed on': { routing: { forward_query: false } },
  'boxes as they are without': { routing: { forward_query: true, forward_path: false, open_app: false } },
  'a rule of each condition': {
    routing: { rules: Object.entries({ ...LISTS, ...TIMES }).map(([kind, given]) => rule({ [kind]: given })) },
  },
  'a rule of each condition that must not hold': {
    routing: { rules: Object.entries({ ...LISTS, ...TIMES }).map(([kind, given]) => rule({ not: { [kind]: given } })) },
  },
  'a rule of all conditions, beside a split and apps': {
    routing: {
      ios: { fallback: 'store' },
      split: [
        { destination: TO, weight: 1_000_000 },
        { name: 'b', weight: 1, destination: 'https://example.com/b' },
      ],
      open_app: true,
      rules: [rule({ not: OTHERS, ...LISTS, ...TIMES }, { name: 'all' }), rule({ device: ['desktop'] })],
      android: { deep_link_path: '/b', fallback: 'https://example.com/android' },
      forward_path: true,
    },
  },
  'everything else': {
    ...{ title: 'A title', tags: ['zebra', 'apple'], utm: { medium: 'email', term: ' a term ' } },
    ...{ data: { z: 1.5, a: [null, { b: true }], n: '007' }, preview: { description: 'Only this' } },
    ...{ starts_at: '2026-01-01T00:00:01Z', expires_at: '2099-10-25T00:59:59.999Z', click_limit: 7 },
    ...{ expired_destination: 'https://example.com/over', external_id: 'forms-1', match_window_seconds: 61 },
    password: 'a password',
  },
  'texts that are empty, or begin with a space': { title: '  padded ', utm: { source: '' }, preview: { title: ' ' } },
};

/** Routing as a later version might store it. */
const LATER = {
  later: { a: [1, null] },
  rules: [
    { when: { later: ['x'], country: ['DE'], not: { later: true } }, destination: TO, later: 'kept', priority: 2 },
  ],
  split: [
    { destination: TO, weight: 1, later: {} },
    { destination: 'https://example.com/b', weight: 3, until: '2030-01-01' },
  ],
  ios: { deep_link_path: null, later: 'x' },
  forward_query: false,
};

describe('a form that is saved with one change', () => {
  const world = useWorld({ LINK_DOMAIN: 'go.localhost' });
  const pages = usePages(world);
  const { create, rest } = recordsIn(world);

  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const openSection = (page: Page, title: string) => page.locator('summary').filter({ hasText: title }).first().click();

  it('leaves everything else of a link as the API made it', async () => {
    const page = await pages.open({ timezoneId: 'Asia/Kolkata' });
    await page.goto('/app/links');
    for (const [shape, body] of Object.entries(LINKS)) {
      const { id } = await create('/links', { destination: 'https://example.com/form', ...body });
      const before = await rest(`/links/${id}`, 'notes');
      await goWithin(page, `/app/links/${id}/edit`);
      await page.getByLabel('Notes').fill(shape);
      await saveLink(page);
      expect((await world.api('GET', `/links/${id}`)).body.notes).to.equal(shape);
      expect(await rest(`/links/${id}`, 'notes'), shape).to.equal(before);
    }
  });

  it('leaves of a link what only a later version knows', async () => {
    const { id } = await create('/links', { destination: 'https://example.com/later' });
    await inTransaction((transaction) => Link.update({ routing: LATER }, { where: { id }, transaction }));
    const page = await pages.open();
    await page.goto(`/app/links/${id}/edit`);
    await openSection(page, 'Routing rules and split');
    await page.getByText('Conditions that this page can’t show stay as they are: later, later.').waitFor();
    expect(await page.getByLabel('Pass the visitor’s query parameters').isChecked()).to.equal(false);
    await page.getByLabel('Notes').fill('seen');
    await saveLink(page);
    const [link] = await Link.findAll({ where: { id } });
    expect(JSON.stringify(link?.routing)).to.equal(JSON.stringify(LATER));
    expect(link?.notes).to.equal('seen');
  });

  it('changes one part of the routing, and shows what the server does', async () => {
    const routing = LINKS['a rule of all conditions, beside a split and apps']?.routing as {
      rules: object[];
      split: object[];
    };
    const { id } = await create('/links', { destination: 'https://example.com/part', routing });
    const page = await pages.open();
    await page.goto(`/app/links/${id}/edit`);
    await openSection(page, 'Routing rules and split');
    expect(await page.getByLabel('Pass the visitor’s query parameters').isChecked()).to.equal(true);
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Rule name').fill('second');
    await page.getByLabel('Weight').nth(1).fill('5');
    await page.getByLabel('Pass the visitor’s query parameters').uncheck();
    await saveLink(page);
    const [rules, split] = [[...routing.rules], [...routing.split]];
    rules[1] = { ...rules[1], name: 'second' };
    split[1] = { ...split[1], weight: 5 };
    const expected = { ...routing, rules, split, forward_query: false };
    expect((await world.api('GET', `/links/${id}`)).body.routing).to.deep.equal(expected);
  });

  it('sends both of two conditions of a kind, and a box that was unticked, of a new link', async () => {
    const page = await pages.open();
    await page.goto('/app/links/new?destination=https%3A%2F%2Fexample.com%2Ftwice&slug=forms-twice');
    await openSection(page, 'Routing rules and split');
    await page.getByLabel('Pass the visitor’s query parameters').uncheck();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const first = page.getByRole('group', { name: 'Rule 1' });
    await first.getByRole('button', { name: 'Add condition' }).click();
    for (const [at, host] of ['t.co', 'x.com'].entries()) {
      await first.getByRole('combobox', { name: 'Condition' }).nth(at).click();
      await page.getByRole('option', { name: 'Referring site' }).filter({ visible: true }).click();
      await first.getByRole('combobox', { name: 'Referring site: Values' }).nth(at).fill(host);
      await page.keyboard.press('Enter');
    }
    await first.getByText('or', { exact: true }).waitFor();
    await first.getByLabel('then go to').fill(TO);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    const { body } = await world.api('GET', '/links/lookup?short_url=http://go.localhost/forms-twice');
    expect(body.routing).to.deep.equal({
      rules: [{ when: { referrer_host: ['t.co', 'x.com'] }, destination: TO }],
      forward_query: false,
    });
  });

  it('copies a link with everything but its address and id', async () => {
    const [, body] = Object.entries(LINKS).find(([shape]) => shape === 'everything else') as [string, Record];
    const { id } = await create('/links', {
      destination: 'https://example.com/copied',
      ...body,
      external_id: 'forms-2',
    });
    const own = ['id', 'slug', 'short_url', 'qr_url', 'external_id', 'created_at', 'password_protected', 'created_by'];
    const page = await pages.open();
    await page.goto(`/app/links/new?from=${id}`);
    await page.getByLabel('Slug').fill('forms-copy');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    const copy = (await world.api('GET', '/links/lookup?short_url=http://go.localhost/forms-copy')).body;
    expect(await rest(`/links/${copy.id}`, ...own)).to.equal(await rest(`/links/${id}`, ...own));
  });

  it('leaves everything else of a webhook', async () => {
    const tag = await create('/tags', { name: 'hooked' });
    const { id } = await create('/webhooks', {
      url: 'http://127.0.0.1:2009/hook',
      event_types: ['link.updated', 'link.clicked', 'link.created'],
      scope: { tag_id: tag.id },
      include_bots: true,
      batch: { max_events: 7, max_wait_seconds: 3 },
      max_in_flight: 2,
      external_id: 'forms-hook',
    });
    const before = await rest(`/webhooks/${id}`, 'description');
    const page = await pages.open();
    await page.goto(`/app/webhooks/${id}?tab=settings`);
    await page.getByLabel('Description').fill('changed');
    await click(page, 'Save changes');
    await page.getByText('Changes saved.').waitFor();
    expect((await world.api('GET', `/webhooks/${id}`)).body.description).to.equal('changed');
    expect(await rest(`/webhooks/${id}`, 'description')).to.equal(before);
  });

  it('leaves everything else of a domain', async () => {
    const expired = 'https://example.com/over';
    const { id } = await create('/domains', {
      hostname: 'forms.example.com',
      root_destination: 'https://example.com/root?a=1#b',
      not_found_destination: 'https://example.com/lost',
    });
    const changing = ['expired_destination', 'checked_at', 'problem', 'verification', 'status'];
    const before = await rest(`/domains/${id}`, ...changing);
    const page = await pages.open();
    await page.goto(`/app/domains/${id}`);
    await page.getByLabel('Expired links').fill(expired);
    await click(page, 'Save destinations');
    await page.getByText('Saved. Visitors are sent there').waitFor();
    expect((await world.api('GET', `/domains/${id}`)).body.expired_destination).to.equal(expired);
    expect(await rest(`/domains/${id}`, ...changing)).to.equal(before);
  });

  it('leaves everything else of a project, and its other apps', async () => {
    const path = `/projects/${(await world.api('GET', '/projects')).body.data[0].id}`;
    const ios = { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345', app_store_id: null };
    const sha256 = Array.from({ length: 32 }, () => 'AB').join(':');
    const android = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [sha256], scheme: 'forms' };
    const odd = { match_window_seconds: 61, max_event_value: 0.125, probabilistic_matching: false };
    expect((await world.api('PATCH', path, { apps: [android, ios], ...odd })).status).to.equal(200);
    const before = await rest(path, 'name', 'health');
    const page = await pages.open();
    await page.goto('/app/settings');
    await page.getByLabel('Name').fill('Forms');
    await click(page, 'Save settings');
    await page.getByText('Settings saved').waitFor();
    expect((await world.api('GET', path)).body.name).to.equal('Forms');
    expect(await rest(path, 'name', 'health')).to.equal(before);

    const beforeApps = await rest(path, 'apps', 'health');
    await page.goto('/app/settings?tab=apps');
    await page.getByRole('button', { name: 'Edit' }).last().click();
    await page.getByLabel('URL scheme').fill('later');
    await click(page, 'Save app');
    await page.getByText('App saved.').waitFor();
    expect((await world.api('GET', path)).body.apps).to.deep.equal([android, { ...ios, scheme: 'later' }]);
    expect(await rest(path, 'apps', 'health')).to.equal(beforeApps);
  });

  it('leaves the colour of a tag', async () => {
    const tag = await create('/tags', { name: 'forms', color: '#12ab34' });
    const page = await pages.open();
    await page.goto('/app/settings?tab=tags');
    await page.getByRole('row', { name: 'forms' }).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('renamed');
    await click(page, 'Save tag');
    await page.getByText('Tag saved').waitFor();
    const { data } = (await world.api('GET', '/tags')).body;
    const saved = data.find(({ id }: { id: string }) => id === tag.id);
    expect(saved).to.deep.include({ name: 'renamed', color: '#12ab34' });
  });
});
