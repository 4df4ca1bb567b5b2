// plays, stores: each
import { expect } from 'chai';
import { clock } from '../../src/kernel/clock.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { joinWorld, type World } from '../support/world.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('a clock that is set back by two hours', () => {
  let world: World;
  let receiver: Receiver;

  before(async function () {
    this.timeout(600_000);
    world = await joinWorld();
    receiver = await startReceiver();
  });
  after(async () => {
    clock.reset();
    await world.stop();
    await receiver.close();
  });

  it('loses no link, no click and no event', async () => {
    await world.api('POST', '/webhooks', { url: receiver.url });
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'before' });
    clock.use({ now: () => Date.now() - 7_200_000 });
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'after' });
    for (const slug of ['before', 'after']) {
      const options = { redirect: 'manual', headers: { 'User-Agent': AGENT } } as const;
      expect((await fetch(`${world.origin}/${slug}`, options)).status).to.equal(302);
    }
    const first = (await world.api('GET', '/links?limit=1')).body;
    const second = (await world.api('GET', `/links?limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ slug }) => slug)).to.have.members(['before', 'after']);
    await until(async () => (await world.api('GET', '/analytics')).body.total.count === 2, 'both clicks');
    const told = () => receiver.received.map(({ event }) => event.type).sort();
    await until(() => told().length >= 4, 'every event');
    expect(told()).to.deep.equal(['link.clicked', 'link.clicked', 'link.created', 'link.created']);
  });
});
