// stores: any
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { query } from '../../../src/db/query.ts';
import { readRows } from '../../../src/db/rows.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
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

  it('is read by a genuine token of its click, also behind the password that was entered then', async () => {
    const locked = await make({ password: 'secret' });
    const tokenOfNow = async (clickedAt = Date.now()) => {
      const [{ passwordHash }] = (await readRows(Link, 'id = $1', [locked.id])) as [Link];
      const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: locked.id, passwordHash };
      return issueClickToken(claims, clickedAt);
    };
    const token = await tokenOfNow();
    const urls = (brought: string) =>
      [`https://${GO}/${locked.slug}`, 'myapp://p/42'].map((url) => `${url}?svc_click=${brought}`);
    for (const url of urls(token)) expect((await resolve(url)).id).to.equal(locked.id);
    const refused = [token.slice(0, -1), await tokenOfNow(Date.now() - 91 * 86_400_000), tokenFor(locked)];
    await mine.api('PATCH', `/links/${locked.id}`, { password: 'another' });
    for (const brought of [...refused, token])
      for (const url of urls(brought)) expect(await resolve(url)).to.equal(null);
    const later = await tokenOfNow();
    expect((await resolve(urls(later)[0] as string)).id).to.equal(locked.id);
    await flagLink(locked.id, 'phishing');
    expect(await resolve(urls(later)[0] as string)).to.equal(null);
  });

  it('is null for a token of a link that is archived, scheduled, gone, or ended an hour after the click', async () => {
    const link = await make();
    const recent = tokenFor(link);
    const older = tokenFor(link, mine, Date.now() - 3_601_000);
    const answers = async () => [
      await resolve(`myapp://p?svc_click=${recent}`),
      await resolve(`https://${GO}/${link.slug}?svc_click=${older}`),
    ];
    const change = (body: object) => mine.api('PATCH', `/links/${link.id}`, body);
    expect((await answers()).map(({ id }) => id)).to.deep.equal([link.id, link.id]);
    await change({ expires_at: '2020-01-01T00:00:00Z' });
    const [shown, hidden] = await answers();
    expect([shown.id, hidden]).to.deep.equal([link.id, null]);
    for (const stopped of [
      { expires_at: null, archived: true },
      { archived: false, starts_at: '2090-01-01T00:00:00Z' },
    ]) {
      await change(stopped);
      expect(await answers()).to.deep.equal([null, null]);
    }
    await change({ starts_at: null });
    expect((await answers()).length).to.equal(2);
    await mine.api('DELETE', `/links/${link.id}`);
    expect(await answers()).to.deep.equal([null, null]);
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
