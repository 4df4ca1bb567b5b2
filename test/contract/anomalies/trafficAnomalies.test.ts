// plays, stores: any
import { expect } from 'chai';
import { watchTraffic } from '../../../src/anomalies/watchTraffic.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { hourMs, storeHours, type Visits } from '../../support/steadyTraffic.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';
import { startWorld, type World } from '../../support/world.ts';

const HOUR_MS = 3_600_000;
const HISTORY_HOURS = 20 * 24;
const { signal } = new AbortController();

/** What a project usually has in an hour, by its links. */
type Usual = (hour: number) => Visits[];

describe('traffic that is not as usual', () => {
  let time: StoppedClock;
  let world: World;
  let teamId: string;
  let mine: Tenant;

  before(async () => {
    time = stopClock(Date.UTC(2026, 10, 16, 6, 10));
    world = await startWorld();
    teamId = (await firstTenant(world)).teamId;
  });
  after(async () => {
    clock.reset();
    await world.stop();
  });
  beforeEach(async () => {
    mine = await makeTenant(world, teamId);
  });

  const linkOf = async (slug?: string) =>
    (await mine.api('POST', '/links', { destination: 'https://example.com/', ...(slug ? { slug } : {}) })).body;
  const begin = async (usual: Usual, hours = HISTORY_HOURS) => {
    await watchTraffic(signal);
    await storeHours(mine.projectId, hourMs() - hours * HOUR_MS, hourMs(), usual);
  };
  const twice = () => Promise.all([watchTraffic(signal), watchTraffic(signal)]);
  const pass = async (hours: number, visits: Usual, look: () => Promise<unknown> = twice) => {
    for (let gone = 0; gone < hours; gone += 1) {
      await storeHours(mine.projectId, hourMs(), hourMs() + HOUR_MS, visits);
      time.move(3600);
      await look();
    }
  };
  const alerts = async () => (await walk(mine.api, '/alerts', { kind: 'traffic_anomaly' })).reverse();
  const some = (hour: number, count: number) => count + ((hour * 7) % 5);
  const steady =
    (linkId: string, people = 40, values: Partial<Click> = {}): Usual =>
    (hour) => [{ linkId, people: some(hour, people), robots: 2, values }];

  it('is told once, with what is usual, and when it is over', async () => {
    const { id } = await linkOf();
    const usual = steady(id);
    await begin(usual);
    await pass(2, usual);
    expect(await alerts()).to.deep.equal([]);
    const fellAt = new Date(hourMs()).toISOString();
    await pass(1, () => [{ linkId: id, people: 1 }]);
    const [alert] = await alerts();
    expect(alert).to.deep.include({ kind: 'traffic_anomaly', severity: 'critical', link_id: null, resolved_at: null });
    expect(alert.title).to.equal('Fewer clicks than usual');
    expect(alert.message).to.match(
      /^Clicks on “Neighbours” fell to 1 in the hour from \d\d:00 UTC on 16 November; 4\d /,
    );
    expect(alert.details).to.deep.include({ direction: 'drop', hour: fellAt, actual: 1, ended_at: null });
    expect(alert.details.expected).to.be.within(40, 44);
    expect(alert.details.low).to.be.within(10, 40);
    expect(alert.details.high).to.be.within(44, 80);
    expect(alert.details.url).to.include(`/app/analytics?project=${mine.projectId}&`);
    await pass(2, () => [{ linkId: id, people: 1 }]);
    const endedAt = new Date(hourMs()).toISOString();
    await pass(3, usual);
    const [resolved, ...others] = await alerts();
    expect(others).to.deep.equal([]);
    expect(resolved.id).to.equal(alert.id);
    expect(resolved.resolved_at).to.match(/Z$/);
    expect(resolved.details.ended_at).to.equal(endedAt);
    const told = await walk(mine.api, '/events', { type: 'alert.created' });
    expect(told.map(({ data }) => data.alert.id)).to.deep.equal([alert.id]);
  });

  it('is shown by the query that the alert names, and explained by the part that moved most', async () => {
    const { id } = await linkOf();
    const usual: Usual = (hour) => [
      { linkId: id, people: some(hour, 30), values: { country: 'AT' } },
      { linkId: id, people: 10, values: { country: 'DE' } },
    ];
    await begin(usual);
    await pass(1, (hour) => [...usual(hour), { linkId: id, people: 200, values: { country: 'FR', platform: 'ios' } }]);
    const [{ details, message, severity }] = await alerts();
    expect(severity).to.equal('warning');
    expect(details).to.deep.include({ direction: 'spike' });
    expect(details.explanation).to.deep.include({ dimension: 'country', key: 'FR', from: 0, to: 200 });
    expect(message).to.include('Most of it: country FR (0 → 200).');
    const shown = await mine.api('GET', details.analytics.replace('/api/v1', ''));
    expect(shown.status).to.equal(200);
    expect(shown.body.data.at(-1)).to.deep.include({ key: details.hour, count: 200 });
    expect(shown.body.data).to.have.length(25);
  });

  it('is a flood when bots come, which are no people', async () => {
    const { id } = await linkOf();
    const usual = steady(id);
    await begin(usual);
    await pass(2, () => [{ linkId: id, people: 41, robots: 300 }]);
    await pass(3, usual);
    const [{ details, message, resolved_at }, ...others] = await alerts();
    expect(others).to.deep.equal([]);
    expect(details).to.deep.include({ direction: 'bot_flood', actual: 300 });
    expect(message).to.match(/^Bots and scanners followed “Neighbours” 300 times/);
    expect(resolved_at).to.match(/Z$/);
    const shown = await mine.api('GET', details.analytics.replace('/api/v1', ''));
    expect(shown.body.data.at(-1).count).to.equal(300);
  });

  it('of a single link is an alert of the link, and its project has none', async () => {
    const [large, small] = [await linkOf(), await linkOf('small')];
    const usual: Usual = (hour) => [...steady(large.id, 100)(hour), ...steady(small.id, 40)(hour)];
    await begin(usual);
    await pass(2, steady(large.id, 100));
    await pass(3, usual);
    const all = await alerts();
    expect(all.map(({ link_id, details }) => [link_id, details.direction])).to.deep.equal([[small.id, 'drop']]);
    expect(all[0].title).to.match(/^Fewer clicks than usual: .+\/small$/);
    expect(all[0].resolved_at).to.match(/Z$/);
  });

  it('is no news of a link that was archived', async () => {
    const [large, small] = [await linkOf(), await linkOf('archived')];
    await begin((hour) => [...steady(large.id, 100)(hour), ...steady(small.id, 40)(hour)]);
    expect((await mine.api('PATCH', `/links/${small.id}`, { archived: true })).status).to.equal(200);
    await pass(2, steady(large.id, 100));
    expect(await alerts()).to.deep.equal([]);
  });

  it('of a project because of one link is one alert, which names the link', async () => {
    const [large, small] = [await linkOf('large'), await linkOf()];
    const usual: Usual = (hour) => [...steady(large.id, 100)(hour), ...steady(small.id, 30)(hour)];
    await begin(usual);
    await pass(2, steady(small.id, 30));
    const all = await alerts();
    expect(all.map(({ link_id, details }) => [link_id, details.direction])).to.deep.equal([[null, 'drop']]);
    expect(all[0].details.explanation).to.deep.include({ dimension: 'link', key: large.id, to: 0 });
    expect(all[0].message).to.match(/Most of it: link \S+\/large \(10\d → 0\)\.$/);
  });

  it('is not known of a project that is new', async () => {
    const { id } = await linkOf();
    await begin(steady(id), 10 * 24);
    await pass(2, () => [{ linkId: id, people: 0, robots: 1000 }]);
    await pass(1, () => [{ linkId: id, people: 1000 }]);
    expect(await alerts()).to.deep.equal([]);
  });

  it('is found after a pause, when it began and ended meanwhile', async () => {
    const { id } = await linkOf();
    const usual = steady(id);
    await begin(usual);
    const rest = async () => {};
    await pass(2, usual, rest);
    await pass(3, () => [], rest);
    await pass(5, usual, rest);
    await twice();
    const all = await alerts();
    expect(all).to.have.length(1);
    expect(all[0].details.direction).to.equal('drop');
    expect(all[0].resolved_at).to.match(/Z$/);
  });

  it('is not told of hours whose clicks came late, once they are there', async () => {
    const { id } = await linkOf();
    const usual = steady(id);
    await begin(usual);
    await pass(1, usual);
    const late = hourMs();
    await pass(1, () => []);
    expect(await alerts()).to.have.length(1);
    await storeHours(mine.projectId, late, late + HOUR_MS, usual);
    await pass(2, usual);
    const [alert, ...others] = await alerts();
    expect(others).to.deep.equal([]);
    expect(alert.resolved_at).to.match(/Z$/);
  });

  it('goes on over a restart', async () => {
    const { id } = await linkOf();
    await begin(steady(id));
    await pass(1, () => []);
    expect(await alerts()).to.have.length(1);
    const stopped = new AbortController();
    stopped.abort();
    await pass(
      1,
      () => [],
      () => watchTraffic(stopped.signal),
    );
    await pass(1, () => []);
    await pass(3, steady(id));
    const [alert, ...others] = await alerts();
    expect(others).to.deep.equal([]);
    expect(alert.details.ended_at).to.match(/Z$/);
  });
});
