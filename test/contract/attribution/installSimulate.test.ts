// stores: any
import { expect } from 'chai';
import { openStoreIn } from '../../../src/db/query.ts';
import { countRows } from '../../../src/db/tables.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AGENTS } from '../../support/agents.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { useInstalls } from '../../support/installs.ts';
import { IPHONE } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant, memberSession } from '../../support/tenants.ts';

const SAFARI = String(IPHONE.headers['User-Agent']);
/** Of a network in Germany. */
const GERMAN = '84.128.0.';
const ENTER = 'mutation ($teamId: ID!) { enterSurvivalMode(teamId: $teamId, reason: "test") { status } }';

const CLICK = { user_agent: SAFARI, accept_language: 'de-DE,de;q=0.9' };
const OPEN = { platform: 'ios', os_version: '18.1', device_model: 'iPhone17,3', language: 'de-DE' };

describe('POST /installs/simulate', () => {
  const { world, mine, makeLink, simulate } = useInstalls({ SHARED_NETWORKS: '203.0.113.0/24' });

  /** Reason or `matched`, and of each click the verdict. */
  const outcome = async (body: {
    click?: object;
    open?: object;
    other_clicks?: object[];
    address_visitors?: number;
  }) => {
    const { match, candidates } = await simulate({
      ...body,
      click: { ...CLICK, ...body.click },
      open: { ...OPEN, ...body.open },
    });
    const reason = match.matched ? 'matched' : match.factors[0].name;
    return [reason, ...candidates.map(({ verdict }: { verdict: string }) => verdict)];
  };

  it('writes nothing', async () => {
    const link = await makeLink();
    const click = { ...CLICK, link: link.id };
    const body = { click, open: OPEN, other_clicks: [click] };
    await simulate(body);
    const before = await rowsOfTables();
    expect(Object.keys(before)).to.include.members([
      'installs',
      'opens',
      'clicks',
      'used_clicks',
      'match_clicks',
      'events',
    ]);
    for (let at = 0; at < 3; at += 1) expect((await simulate(body)).match.matched).to.equal(true);
    expect(await rowsOfTables()).to.deep.equal(before);
  });

  it('tells apart who is no person, and who comes from elsewhere', async () => {
    expect(await outcome({})).to.deep.equal(['matched', 'matched']);
    expect(await outcome({ click: { user_agent: AGENTS.bot } })).to.deep.equal(['no_click', 'not_a_person']);
    expect(await outcome({ click: { user_agent: AGENTS.scanner } })).to.deep.equal(['no_click', 'not_a_person']);
    const table: [ofClick: string | null, ofOpen: string | null, isSame: boolean][] = [
      ['198.51.100.1', '198.51.100.1', true],
      ['198.51.100.1', '198.51.100.2', false],
      ['::ffff:198.51.100.1', '198.51.100.1', true],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
      ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
      ['198.51.100.1', '2001:db8:1:2::1', false],
      ['198.51.100.1', null, true],
      [null, '198.51.100.1', true],
    ];
    for (const [ofClick, ofOpen, isSame] of table)
      expect(
        await outcome({ click: { address: ofClick }, open: { address: ofOpen } }),
        `${ofClick} ${ofOpen}`,
      ).to.deep.equal(isSame ? ['matched', 'matched'] : ['no_click', 'other_address']);
  });

  it('takes the address of either side for both, with its network and its country', async () => {
    for (const side of ['click', 'open']) {
      expect(await outcome({ [side]: { address: '203.0.113.7' } }), side).to.deep.equal([
        'shared_network',
        'below_threshold',
      ]);
      const given = { click: CLICK, open: { ...OPEN, timezone: 'Europe/Berlin' } };
      const german = { ...given, [side]: { ...given[side as 'click'], address: `${GERMAN}1` } };
      expect((await simulate(german)).match.factors).to.deep.include({ name: 'timezone', points: 5 });
    }
    const elsewhere = { ...CLICK, address: '198.51.100.2', link: 'other' };
    const [, ...verdicts] = await outcome({ click: { address: '198.51.100.1' }, other_clicks: [elsewhere] });
    expect(verdicts).to.have.members(['matched', 'other_address']);
  });

  it('goes by the window of the link that is named, else by that of the project', async () => {
    const link = await makeLink({ match_window_seconds: 60, external_id: 'spring' });
    const other = await makeTenant(world(), mine().teamId);
    const foreign = (
      await other.api('POST', '/links', { destination: 'https://www.example.com/', match_window_seconds: 60 })
    ).body;
    const isIn = async (reference: string | undefined, seconds_before: number) =>
      (await outcome({ click: { link: reference, seconds_before } }))[1] !== 'outside_window';
    for (const reference of [link.id, 'ext_spring'])
      expect([await isIn(reference, 60), await isIn(reference, 61)], reference).to.deep.equal([true, false]);
    await mine().api('PATCH', `/projects/${mine().projectId}`, { match_window_seconds: 120 });
    for (const reference of [undefined, 'spring', 'ext_autumn', foreign.id, newId('lnk')])
      expect([await isIn(reference, 120), await isIn(reference, 121)], reference).to.deep.equal([true, false]);
    const named = await simulate({ click: { ...CLICK, link: 'ext_spring' }, open: OPEN });
    expect([named.link_id, named.click_id]).to.deep.equal([link.id, 'click']);
  });

  it('knows rivals by the link that they are on, and who shares the address by what it is told', async () => {
    const rival = { ...CLICK, user_agent: `${SAFARI} X` };
    expect(await outcome({ click: { link: 'a' }, other_clicks: [{ ...rival, link: 'b' }] })).to.deep.equal([
      ...['ambiguous', 'ambiguous', 'ambiguous'],
    ]);
    expect((await outcome({ other_clicks: [rival] }))[0]).to.equal('matched');
    expect(
      (await outcome({ click: { link: 'a' }, other_clicks: [{ ...rival, link: 'b', seconds_before: 3600 }] }))[0],
    ).to.equal('matched');
    const most = config.matchSharedVisitors;
    const others = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, at) => ({ ...CLICK, user_agent: `${SAFARI} ${at}`, ...more }));
    const here = { ...CLICK, address: '198.51.100.1' };
    const table: [body: object, visitors: number][] = [
      [{ click: CLICK }, 1],
      [{ click: CLICK, address_visitors: most }, most],
      [{ click: CLICK, address_visitors: most + 1 }, most + 1],
      [{ click: CLICK, other_clicks: [CLICK, CLICK] }, 1],
      [{ click: CLICK, other_clicks: others(most - 1) }, most],
      [{ click: CLICK, other_clicks: others(most) }, most + 1],
      [{ click: CLICK, other_clicks: others(most), address_visitors: 1 }, 1],
      [{ click: here, other_clicks: others(most, { address: '198.51.100.2' }) }, 1],
    ];
    for (const [body, visitors] of table) {
      const { address, match } = await simulate({ ...body, open: OPEN });
      expect(address).to.include({ visitors, shared: visitors > most });
      if (visitors > most) expect(match.factors).to.deep.equal([{ name: 'many_visitors', points: 0 }]);
      if (visitors === 1) expect(match.matched).to.equal(true);
    }
  });

  it('takes a click for a minute old where nothing is said', async () => {
    const { nowMs } = stopClock();
    const { match } = await simulate({ click: CLICK, open: OPEN });
    expect(match.clicked_at).to.equal(new Date(nowMs - 60_000).toISOString());
  });

  it('compares what a page told of the device', async () => {
    const screen = { width: 393, height: 852, scale: 3 };
    const factorsOf = async (click: object, open: object) => {
      const { match } = await simulate({ click: { ...CLICK, ...click }, open: { ...OPEN, ...open } });
      return match.factors;
    };
    const told = { timezone: 'Europe/Berlin', screen };
    expect(await factorsOf(told, told)).to.deep.include.members([
      { name: 'timezone', points: 5 },
      { name: 'screen', points: 10 },
    ]);
    expect(await factorsOf(told, {})).to.deep.equal(await factorsOf({}, told));
  });

  it('422 lists every field that is bad', async () => {
    const post = (body: unknown) => mine().api('POST', '/installs/simulate', body);
    expectInvalid(await post({}), 'click', 'open');
    expectInvalid(await post({ click: {}, open: {} }), 'click.user_agent', 'open.platform');
    const bad = {
      click: { user_agent: '', address: '1.2.3', seconds_before: -1, colour: 'red', screen: { width: -1, depth: 1 } },
      other_clicks: [CLICK, { user_agent: 1 }],
      open: { platform: 'windows', address: 'localhost', consent: 'no', install_id: 'x' },
      address_visitors: 0,
      extra: true,
    };
    expectInvalid(
      await post(bad),
      ...['click.user_agent', 'click.address', 'click.seconds_before', 'click.colour', 'click.screen.width'],
      ...['click.screen.depth', 'other_clicks.1.user_agent', 'open.platform', 'open.address', 'open.consent'],
      ...['open.install_id', 'address_visitors', 'extra'],
    );
    expectInvalid(await post({ click: CLICK, open: OPEN, other_clicks: Array(21).fill(CLICK) }), 'other_clicks');
    expectInvalid(await post({ click: { ...CLICK, seconds_before: 604_801 }, open: OPEN }), 'click.seconds_before');
  });

  it('is repeated by its Idempotency-Key, and refused to a team in survival mode', async () => {
    const tenant = await makeTenant(world());
    const ask = (body: object, key: string) =>
      tenant.api('POST', '/installs/simulate', body, { headers: { 'Idempotency-Key': key } });
    const first = await ask({ click: CLICK, open: OPEN }, 'one');
    const again = await ask({ click: CLICK, open: OPEN }, 'one');
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([200, 200, 'true']);
    expect(again.body).to.deep.equal(first.body);
    expectError(await ask({ click: CLICK, open: { platform: 'web' } }, 'one'), 422, 'idempotency_key_reused');
    const owner = await memberSession(world(), tenant.teamId, 'owner');
    await graphql(world().origin, ENTER, { teamId: tenant.teamId }, owner);
    expectError(await ask({ click: CLICK, open: OPEN }, 'two'), 403, 'team_read_only');
    expect((await ask({ click: CLICK, open: OPEN }, 'one')).body).to.deep.equal(first.body);
  });
});

/** What jobs write of each project by themselves. */
const OF_JOBS = /^(health|traffic)_/;

/** How many rows each table has, but for those. */
async function rowsOfTables(): Promise<Record<string, number>> {
  const counts = Object.entries(await countRows(openStoreIn()));
  return Object.fromEntries(counts.filter(([name]) => !OF_JOBS.test(name)));
}
