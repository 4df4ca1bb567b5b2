// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { readRows } from '../../../src/db/rows.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Reply } from '../../support/api.ts';
import * as appLinks from '../../support/appLinks.ts';
import type { MadeLink } from '../../support/createLink.ts';
import { expectMatch, IPHONE, newAddress, type Sdk, sdkOf } from '../../support/sdk.ts';

describe('the opening of an app by a link with a password', () => {
  const { tenants, make, follow } = appLinks.useAppLinks();
  let sdk: Sdk;
  let link: MadeLink;

  before(async () => {
    sdk = await sdkOf(tenants().mine);
  });
  beforeEach(async () => {
    link = await make('store');
  });

  const protect = async (password: string | null) => {
    expect((await tenants().mine.api('PATCH', `/links/${link.id}`, { password })).status).to.equal(200);
  };
  /** A token of somebody who was let through now. */
  const clipboardOf = async () => {
    const [{ passwordHash }] = (await readRows(Link, 'id = $1', [link.id])) as [Link];
    const claims = { clickId: newId('clk'), projectId: tenants().mine.projectId, linkId: link.id, passwordHash };
    return `svc_click=${issueClickToken(claims, Date.now())}`;
  };
  /** The click led to the app, but where the link leads is hidden. */
  const expectHidden = ({ status, body }: Reply, method: string) => {
    expect([status, body.match.matched, body.match.method, body.link]).to.deep.equal([200, true, method, null]);
  };

  it('answers the link for the token of who entered the password that it has', async () => {
    await protect('secret');
    expectMatch(await sdk.open({ clipboard: await clipboardOf() }), 'clipboard', link);
  });

  it('answers no link for a token that was made before there was a password, or with another one', async () => {
    const tokens = [await clipboardOf(), await clipboardOf()] as const;
    await protect('secret');
    const secrets = [await clipboardOf(), await clipboardOf()] as const;
    expectHidden(await sdk.open({ clipboard: tokens[0] }), 'clipboard');
    await protect('another');
    expectHidden(await sdk.open({ clipboard: secrets[0] }), 'clipboard');
    const url = `myapp://p/42?${secrets[1]}`;
    expectHidden(await sdk.open({ first_open: false, url }), 'link');
    await protect(null);
    expectMatch(await sdk.open({ clipboard: tokens[1] }), 'clipboard', link);
  });

  it('answers no link to an install that repeats its opening after the password was set', async () => {
    const opening = { install_id: randomUUID(), clipboard: await clipboardOf() };
    expectMatch(await sdk.open(opening), 'clipboard', link);
    await protect('secret');
    expectHidden(await sdk.open(opening), 'clipboard');
  });

  it('answers no link where the click is only guessed: another person may have the same phone', async () => {
    const from = newAddress();
    await follow(link, appLinks.IPHONE, '', { ...IPHONE.headers, 'X-Forwarded-For': from });
    await protect('secret');
    const install_id = randomUUID();
    expectHidden(await sdk.open({ install_id }, { from }), 'probabilistic');
    await protect(null);
    expectMatch(await sdk.open({ install_id }, { from }), 'probabilistic', link);
  });
});
