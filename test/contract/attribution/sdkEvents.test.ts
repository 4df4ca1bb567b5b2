// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { query } from '../../../src/db/query.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { expectMatch, type Sdk, sdkOf, startSdkWorld } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import type { World } from '../../support/world.ts';

const ATTRIBUTION_DAYS = 2;
const DAY_SECONDS = 86_400;

describe('events of an app', () => {
  let world: World;
  let mine: Tenant;
  let sdk: Sdk;
  let install_id: string;

  before(async () => {
    world = await startSdkWorld({ ATTRIBUTION_DAYS: String(ATTRIBUTION_DAYS) });
    mine = await firstTenant(world);
    sdk = await sdkOf(mine);
  });
  after(() => world.stop());
  beforeEach(() => {
    install_id = randomUUID();
  });
  afterEach(() => clock.reset());

  const make = (): Promise<MadeLink> => createLink(mine.api, { destination: 'https://www.example.com/' });
  const send = async (body: Record<string, unknown>, app = sdk) => {
    const reply = await app.event({ install_id, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(202);
    return [reply.body.accepted, reply.body.duplicates];
  };
  const named = (...ids: (string | null)[]) => ids.map((id) => ({ id, name: 'purchase' }));
  const stored = async () =>
    (await query('SELECT 1 AS one FROM app_events WHERE install_id = :install_id', { install_id })).length;
  /** The data of the webhook events that were made of this install's, oldest first. */
  const told = async (count: number) => {
    const found = await until(async () => {
      const rows = await walk(mine.api, '/events', { type: 'app.event', limit: '100' });
      const ours = rows.filter(({ data }) => data.install_id === install_id);
      return ours.length < count ? null : ours;
    }, `${count} events`);
    expect(found).to.have.length(count);
    return found.reverse().map(({ data }) => data);
  };

  it('come singly and in batches', async () => {
    expect(
      await send({ name: 'a', value: 1.5, currency: 'eur', properties: { sku: 'x', deep: [{ a: null }] } }),
    ).to.deep.equal([1, 0]);
    const events = [{ name: 'b' }, { id: 'order 1', name: 'c', value: 0 }, { name: 'd', value: -3, currency: 'jPy' }];
    // The fields of one event beside many are passed over.
    expect(await send({ events, name: 'e', id: 'e' })).to.deep.equal([3, 0]);
    const data = await told(4);
    const ids = data.map(({ event }) => event.id);
    expect(ids[2]).to.equal('order 1');
    expect(new Set(ids).size).to.equal(4);
    const shown = data.map(({ event: { id: _, occurred_at: __, ...event } }) => event);
    expect(shown).to.have.deep.members([
      { name: 'a', value: 1.5, currency: 'EUR', properties: { sku: 'x', deep: [{ a: null }] }, outlier: false },
      { name: 'b', value: null, currency: null, properties: null, outlier: false },
      { name: 'c', value: 0, currency: null, properties: null, outlier: false },
      { name: 'd', value: -3, currency: 'JPY', properties: null, outlier: false },
    ]);
    for (const { link, install_id: of } of data) expect([link, of]).to.deep.equal([null, install_id]);
  });

  it('are one for an id, in a batch, between batches and beside them; without ids each is one', async () => {
    expect(await send({ events: named('a', 'b', 'a', 'A', 'a') })).to.deep.equal([3, 2]);
    expect(await send({ events: named('b', 'c', null, null) })).to.deep.equal([3, 1]);
    expect(await send({ id: 'c', name: 'another name' })).to.deep.equal([0, 1]);
    expect(await send({ name: 'purchase' })).to.deep.equal([1, 0]);
    expect(await send({ install_id: install_id.toUpperCase(), id: 'a', name: 'purchase' })).to.deep.equal([0, 1]);
    expect(await stored()).to.equal(7);
  });

  it('are one when they come many times at once', async () => {
    const events = named(...Array.from({ length: 50 }, (_, at) => String(at)));
    const turned = (at: number) => [...events.slice(at), ...events.slice(0, at)];
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => send({ events: turned(at) })));
    expect(replies.reduce((sum, [accepted]) => sum + accepted, 0)).to.equal(50);
    for (const [accepted, duplicates] of replies) expect(accepted + duplicates).to.equal(50);
    expect(await stored()).to.equal(50);
  });

  it('are known by id for each install: others use the same ones, also in other projects', async () => {
    const events = named('1', '2');
    expect(await send({ events })).to.deep.equal([2, 0]);
    expect(await send({ events, install_id: randomUUID() })).to.deep.equal([2, 0]);
    expect(await send({ events }, await sdkOf(await makeTenant(world)))).to.deep.equal([2, 0]);
    expect(await send({ events })).to.deep.equal([0, 2]);
  });

  it('are counted as accepted once for each id, however batches are mixed', async () => {
    const id = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', '\u00e9', 'e\u0301', ' ', 'é '), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(id, { minLength: 1, maxLength: 8 }), { maxLength: 6 }), async (batches) => {
        install_id = randomUUID();
        const known = new Set<string>();
        for (const ids of batches) {
          const fresh = ids.filter((one) => one === null || (!known.has(one) && known.add(one))).length;
          expect(await send({ events: named(...ids) })).to.deep.equal([fresh, ids.length - fresh]);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('happened when the device says, but not later than now, and at most 30 days ago', async () => {
    const now = stopClock();
    const at = (seconds: number) => new Date(now.nowMs + seconds * 1000).toISOString();
    const times: [string | null | undefined, number][] = [
      [undefined, 0],
      [null, 0],
      [at(-5), -5],
      [at(1), 0],
      ['2999-01-01T00:00:00Z', 0],
      ['1970-01-01T00:00:00.000Z', -30 * DAY_SECONDS],
      [at(-30 * DAY_SECONDS), -30 * DAY_SECONDS],
      [at(-30 * DAY_SECONDS - 1), -30 * DAY_SECONDS],
      [at(-3600 + 7200).replace('Z', '+02:00'), -3600],
    ];
    for (const [index, [occurred_at]] of times.entries()) await send({ id: String(index), name: 'a', occurred_at });
    for (const { event } of await told(times.length)) {
      expect(event.occurred_at, event.id).to.equal(at(times[Number(event.id)]?.[1] as number));
    }
  });

  it('are refused all together when one is bad', async () => {
    const many = (length: number) => Array.from({ length }, () => ({ name: 'a' }));
    const invalid = async (body: object, ...paths: string[]) =>
      expectInvalid(await sdk.event({ install_id, name: undefined, ...body }), ...paths);
    await invalid({}, 'name');
    await invalid({ name: null, id: 'a' }, 'name');
    await invalid({ events: null }, 'name');
    await invalid({ events: [] }, 'events');
    await invalid({ events: many(101) }, 'events');
    await invalid({ events: [{ name: 'good' }, { name: '' }, { id: 'a' }] }, 'events.1.name', 'events.2.name');
    const long = 'x'.repeat(256);
    const event = { id: long, name: long, value: 1e12 + 1, currency: 'EU', occurred_at: '2026-11-31T00:00:00Z' };
    await invalid(event, ...Object.keys(event));
    await invalid({ events: [event] }, ...Object.keys(event).map((field) => `events.0.${field}`));
    const text = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    await invalid({ name: 'a', properties: text(2049) }, 'properties');
    await invalid({ events: [{ name: 'a', properties: text(2049) }] }, 'events.0.properties');
    await invalid({ name: 'a', properties: { a: ['\u0000'] } }, 'properties.a.0');
    expect(await stored()).to.equal(0);
    const widest = { id: 'x'.repeat(255), name: '☀'.repeat(255), value: -1e12, properties: text(2048) };
    expect(await send(widest)).to.deep.equal([1, 0]);
    expect(await send({ events: many(100) })).to.deep.equal([100, 0]);
  });

  it('carry the link that their install came by, for as long as it is set', async () => {
    const now = stopClock();
    const [first, second] = [await make(), await make()];
    const url = ({ slug }: MadeLink) => `${world.origin}/${slug}`;
    await send({ id: 'before', name: 'a' });
    expectMatch(await sdk.open({ install_id, url: url(first) }), 'link', first);
    // A link that opens the app later is not what it came by.
    expectMatch(await sdk.open({ install_id, first_open: false, url: url(second) }), 'link', second);
    await send({ id: 'after', name: 'a' });
    now.move(ATTRIBUTION_DAYS * DAY_SECONDS - 1);
    await send({ id: 'last', name: 'a' });
    now.move(1);
    await send({ id: 'late', name: 'a' });
    const links = (await told(4)).map(({ event, link }) => [event.id, link?.id ?? null]);
    const expected = { before: null, after: first.id, last: first.id, late: null };
    expect(links).to.have.deep.members(Object.entries(expected));
  });

  it('carry none when the install came by none, or was only opened', async () => {
    const link = await make();
    await sdk.open({ install_id, first_open: false, url: `${world.origin}/${link.slug}` });
    await send({ name: 'a' });
    await sdk.open({ install_id });
    await send({ name: 'a' });
    expect((await told(2)).map((data) => data.link)).to.deep.equal([null, null]);
  });
});
