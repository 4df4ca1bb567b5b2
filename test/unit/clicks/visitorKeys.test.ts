// stores: each
import { expect } from 'chai';
import { openVisitorKeys, type VisitorKeys } from '../../../src/clicks/visitorKeys.ts';
import { query } from '../../../src/db/query.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-21T12:00:00.000Z');

describe('hashes of visitors', () => {
  let store: OpenStore;
  const opened: VisitorKeys[] = [];
  beforeEach(async () => {
    store = await openStore();
    clock.use({ now: () => NOON });
  });
  afterEach(async () => {
    for (const keys of opened.splice(0)) keys.close();
    clock.reset();
    await store.close();
  });

  const open = async () => {
    const keys = await openVisitorKeys();
    opened.push(keys);
    return keys;
  };
  const storedDays = async () =>
    (await query<{ day: string }>('SELECT day FROM visitor_keys ORDER BY day')).map(({ day }) => day);

  it('are 22 characters of base64url that hold no address', async () => {
    const { addressHash, visitor } = (await open()).hashes('192.0.2.7', 'Agent', NOON);
    for (const hash of [addressHash, visitor]) expect(hash).to.match(/^[\w-]{22}$/);
    expect(addressHash).to.not.equal(visitor);
  });

  it('are the same for the same visitor and differ with address and agent', async () => {
    const { hashes } = await open();
    const known = hashes('192.0.2.7', 'Agent', NOON);
    expect(hashes('192.0.2.7', 'Agent', NOON + 1)).to.deep.equal(known);
    const otherAgent = hashes('192.0.2.7', 'Other', NOON);
    expect(otherAgent.addressHash).to.equal(known.addressHash);
    expect(otherAgent.visitor).to.not.equal(known.visitor);
    const otherAddress = hashes('192.0.2.8', 'Agent', NOON);
    expect(otherAddress.addressHash).to.not.equal(known.addressHash);
    expect(otherAddress.visitor).to.not.equal(known.visitor);
  });

  it('take IPv6 by its /64 for the address and whole for the visitor', async () => {
    const { hashes } = await open();
    const one = hashes('2001:db8:1:2::1', 'Agent', NOON);
    const spelledOut = hashes('2001:0db8:0001:0002:0000:0000:0000:0001', 'Agent', NOON);
    const neighbour = hashes('2001:db8:1:2:ffff::9', 'Agent', NOON);
    expect(spelledOut).to.deep.equal(one);
    expect(neighbour.addressHash).to.equal(one.addressHash);
    expect(neighbour.visitor).to.not.equal(one.visitor);
    expect(hashes('2001:db8:1:3::1', 'Agent', NOON).addressHash).to.not.equal(one.addressHash);
  });

  it('take an IPv4-mapped address for the IPv4 address', async () => {
    const { hashes } = await open();
    const plain = hashes('192.0.2.7', 'Agent', NOON);
    for (const spelling of ['::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
      expect(hashes(spelling, 'Agent', NOON), spelling).to.deep.equal(plain);
    }
  });

  it('are made also of what is no address', async () => {
    expect((await open()).hashes('', '', NOON).visitor).to.match(/^[\w-]{22}$/);
  });

  it('change with the UTC day, and back', async () => {
    const { hashes } = await open();
    const lastMoment = Date.parse('2026-11-21T23:59:59.999Z');
    const today = hashes('192.0.2.7', 'Agent', lastMoment);
    expect(today).to.deep.equal(hashes('192.0.2.7', 'Agent', NOON));
    const tomorrow = hashes('192.0.2.7', 'Agent', lastMoment + 1);
    expect(tomorrow.visitor).to.not.equal(today.visitor);
    expect(tomorrow.addressHash).to.not.equal(today.addressHash);
    expect(hashes('192.0.2.7', 'Agent', lastMoment)).to.deep.equal(today);
  });

  it('are the same in every process, now and after midnight', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    for (const at of [NOON, NOON + DAY_MS]) {
      expect(one.hashes('192.0.2.7', 'Agent', at)).to.deep.equal(other.hashes('192.0.2.7', 'Agent', at));
    }
    expect(await storedDays()).to.deep.equal(['2026-11-21', '2026-11-22']);
  });

  it('go on with the latest key when there is none for the day', async () => {
    const { hashes } = await open();
    await store.goAway();
    const tomorrow = hashes('192.0.2.7', 'Agent', NOON + DAY_MS);
    expect(hashes('192.0.2.7', 'Agent', NOON + 5 * DAY_MS)).to.deep.equal(tomorrow);
  });

  it('are renewed at use: after days asleep the next one waits for the key of its day, and only that one', async () => {
    const keys = await open();
    expect(keys.renewal(NOON)).to.equal(null);
    expect(keys.renewal(NOON + DAY_MS), 'ready for midnight').to.equal(null);
    const later = NOON + 3 * DAY_MS;
    clock.use({ now: () => later });
    await Promise.all([keys.renewal(later), keys.renewal(later)]);
    expect(keys.renewal(later)).to.equal(null);
    const other = await open();
    expect(keys.hashes('192.0.2.7', 'Agent', later)).to.deep.equal(other.hashes('192.0.2.7', 'Agent', later));
    expect([...keys.addressHashes('192.0.2.7', later).keys()]).to.include(later / DAY_MS - 0.5);
    expect(await storedDays()).to.deep.equal(['2026-11-22', '2026-11-24', '2026-11-25']);
  });

  it('wait a moment at most for a store that gives no key, and go on with the latest', async () => {
    const keys = await open();
    await store.goAway();
    const later = NOON + 3 * DAY_MS;
    clock.use({ now: () => later });
    await keys.renewal(later);
    expect(keys.hashes('192.0.2.7', 'Agent', later)).to.deep.equal(keys.hashes('192.0.2.7', 'Agent', NOON + DAY_MS));
  });

  it('use keys that are stored sealed and kept for three days', async () => {
    for (const day of [0, 1, 2, 3]) {
      clock.use({ now: () => NOON + day * DAY_MS });
      await open();
    }
    expect(await storedDays()).to.deep.equal(['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25']);
    const rows = await query<{ key: string }>('SELECT key FROM visitor_keys');
    for (const { key } of rows) expect(key).to.match(/^v2\./);
  });
});
