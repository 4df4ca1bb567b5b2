// stores: each
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { query } from '../../../src/db/query.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { expectMatch, type Sdk, sdkOf } from '../../support/sdk.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const GO = 'go.example.com';
const WEB = 'https://www.example.com/shoes';

describe('the link of a URL', () => {
  const world = useWorld({ LINK_DOMAIN: GO });
  let mine: Tenant;
  let other: Tenant;
  let sdk: Sdk;

  before(async () => {
    mine = await firstTenant(world);
    other = await makeTenant(world, mine.teamId);
    sdk = await sdkOf(mine);
  });

  const make = (more: object = {}, { api }: Tenant = mine): Promise<MadeLink> =>
    createLink(api, { destination: WEB, ...more });
  const resolve = async (url: string, app = sdk) => {
    const { status, body } = await app.resolve(url);
    expect([status, Object.keys(body)], JSON.stringify(body)).to.deep.equal([200, ['link']]);
    return body.link;
  };
  const tokenFor = ({ id }: MadeLink, { projectId } = mine, clickedAt = Date.now()) =>
    issueClickToken({ clickId: newId('clk'), projectId, linkId: id }, clickedAt);
  const count = async (table: string) => (await query(`SELECT 1 AS one FROM ${table}`)).length;

  it('is what apps are told of it', async () => {
    const { id, slug } = await make({ slug: 'spring/sale', data: { screen: 'sale' }, title: 'not for apps' });
    const link = {
      id,
      slug,
      domain: GO,
      short_url: `http://${GO}/${slug}`,
      destination: WEB,
      data: { screen: 'sale' },
    };
    const urls = ['', '/', '?a=1', '#b', '?svc_click=nonsense'].map((end) => `https://${GO}/spring/sale${end}`);
    for (const url of urls) expect(await resolve(url), url).to.deep.equal(link);
    for (const end of ['x', '/x', '+', '%2F', '//'])
      expect(await resolve(`https://${GO}/spring/sale${end}`)).to.equal(null);
  });

  it('is that of the project alone', async () => {
    const [own, foreign] = [await make(), await make({}, other)];
    const ofOther = await sdkOf(other);
    expect(await resolve(`https://${GO}/${foreign.slug}`)).to.equal(null);
    expect(await resolve(`https://${GO}/${own.slug}`, ofOther)).to.equal(null);
    expect((await resolve(`https://${GO}/${foreign.slug}`, ofOther)).id).to.equal(foreign.id);
    expect(await resolve(`myapp://p?svc_click=${tokenFor(foreign, other)}`)).to.equal(null);
    expect(await resolve(`myapp://p?svc_click=${tokenFor(foreign)}`)).to.equal(null);
  });

  it('is read by a genuine token of its click, also where nobody may go now, but never when it is flagged', async () => {
    const locked = await make({ password: 'secret' });
    const archived = await make();
    await mine.api('POST', `/links/${archived.id}/archive`);
    for (const link of [locked, archived]) {
      expect(await resolve(`https://${GO}/${link.slug}`)).to.equal(null);
      expect(await resolve(`https://${GO}/${link.slug}?svc_click=${tokenFor(link).slice(0, -1)}`)).to.equal(null);
      const old = tokenFor(link, mine, Date.now() - 91 * 86_400_000);
      expect(await resolve(`https://${GO}/${link.slug}?svc_click=${old}`)).to.equal(null);
      for (const url of [`https://${GO}/${link.slug}`, 'myapp://p/42']) {
        expect((await resolve(`${url}?svc_click=${tokenFor(link)}`)).id).to.equal(link.id);
      }
    }
    const token = tokenFor(locked);
    await flagLink(locked.id, 'phishing');
    expect(await resolve(`https://${GO}/${locked.slug}?svc_click=${token}`)).to.equal(null);
    await mine.api('DELETE', `/links/${archived.id}`);
    expect(await resolve(`myapp://p?svc_click=${tokenFor(archived)}`)).to.equal(null);
  });

  it('counts nothing, uses nothing up, and writes nothing down', async () => {
    const link = await make();
    const token = tokenFor(link);
    const tables = ['clicks', 'installs', 'opens', 'app_events', 'used_clicks', 'match_clicks', 'orphans'];
    const before = await Promise.all(tables.map(count));
    for (let times = 0; times < 3; times += 1) {
      await resolve(`https://${GO}/${link.slug}`);
      await resolve(`https://${GO}/unheard-of`);
      await resolve(`https://${GO}/${link.slug}?svc_click=${token}`);
    }
    expect(await Promise.all(tables.map(count))).to.deep.equal(before);
    expect((await mine.api('GET', `/links/${link.id}`)).body.clicks).to.equal(0);
    expectMatch(await sdk.open({ clipboard: `svc_click=${token}` }), 'clipboard', link);
  });

  it('is null for what is no URL of a link', async () => {
    const texts = [
      'x',
      ' ',
      'https://',
      `https://${GO}`,
      `https://${GO}/`,
      `https://${GO}/%`,
      '/spring',
      'mailto:a@b.c',
    ];
    for (const url of [...texts, `https://${GO}/${'a/'.repeat(500)}`, `https://${GO}@evil.example.com/x`]) {
      expect(await resolve(url), url).to.equal(null);
    }
  });
});
