// stores: any
import { expect } from 'chai';
import { init, type SvcClient } from '../../../../sdk/app/index.ts';
import { ANDROID, GO, IPHONE, locationOf, tokenIn, useAppLinks } from '../../../support/appLinks.ts';
import { until } from '../../../support/until.ts';
import { Shelf } from './useApp.ts';

const DATA = { product_id: 42, nested_thing: { is_new: true } };

describe('the app SDK with the product', () => {
  const { world, make, follow } = useAppLinks();
  const clients: SvcClient[] = [];
  after(() => {
    for (const client of clients) client.close();
  });

  function install(platform: 'ios' | 'android', storage = new Shelf(), errors: string[] = []): SvcClient {
    const { origin, publishableKey } = world();
    const onError = ({ message }: Error) => errors.push(message);
    const client = init({ url: origin, key: publishableKey, platform, storage, onError });
    clients.push(client);
    return client;
  }

  it('goes from a click over the store into the app, and events carry the link', async () => {
    const link = await make('store', { data: DATA });
    const token = tokenIn(locationOf(await follow(link, ANDROID)));
    const storage = new Shelf();
    const errors: string[] = [];
    const app = install('android', storage, errors);

    const opened = await app.handleOpen(null, { installReferrer: `svc_click=${token}` });
    expect(opened.match).to.deep.include({ matched: true, method: 'referrer', guaranteed: true, confidence: 100 });
    expect(opened.link).to.include({ id: link.id, slug: link.slug, domain: GO });
    expect(opened.link?.data).to.deep.equal(DATA);

    await app.track('purchase', { value: 39.9, currency: 'EUR', properties: { sku: 'a-1' }, id: 'order-1' });
    await app.track('');
    await app.track('purchase', { id: 'order-1' });
    await app.track('login');
    await app.flush();
    expect(errors).to.have.length(1);
    expect(errors[0]).to.contain('events.1.name');
    expect(storage.items.has('svc.queue')).to.equal(false);

    const events = await until(async () => {
      const { body } = await world().api('GET', '/events?type=app.event');
      return body.data.length >= 2 && body.data;
    }, 'the events of the app');
    const told = events.map(({ data }: { data: Record<string, { name: string; id: string }> }) => [
      data.event?.name,
      data.link?.id,
      data.install_id,
    ]);
    expect(told).to.have.deep.members([
      ['purchase', link.id, await app.installId()],
      ['login', link.id, await app.installId()],
    ]);
  });

  it('goes from a click over the clipboard into the app, once', async () => {
    const link = await make('store', { data: DATA });
    const token = tokenIn(locationOf(await follow(link, IPHONE)));
    const clipboard = `https://${GO}/${link.slug}?svc_click=${token}`;
    const first = await install('ios').handleOpen(null, { clipboard });
    expect([first.match.method, first.link?.id]).to.deep.equal(['clipboard', link.id]);
    const other = await install('ios').handleOpen(null, { clipboard });
    expect([other.link, other.match.factors[0]?.name]).to.deep.equal([null, 'token_used']);
  });

  it('opens and resolves the address of a link, and says no to a secret key', async () => {
    const link = await make(null, { data: DATA });
    const url = `https://${GO}/${link.slug}`;
    const app = install('ios');
    const { match, link: found } = await app.handleOpen(url);
    expect([match.method, found?.id]).to.deep.equal(['link', link.id]);
    expect(await app.resolve(url)).to.deep.equal(found);
    expect(await app.resolve(`https://${GO}/there-is-no-such`)).to.equal(null);
    const refused = init({ url: world().origin, key: 'pk_live_unknown', platform: 'ios' });
    clients.push(refused);
    const error = await refused.resolve(url).catch((thrown) => thrown);
    expect(error).to.include({ code: 'invalid_key', status: 401 });
    expect(error.requestId).to.be.a('string');
  });
});
