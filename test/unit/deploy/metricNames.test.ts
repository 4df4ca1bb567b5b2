// stores: each
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { registry } from '../../../src/kernel/metrics.ts';
import { untilRun } from '../../support/jobs.ts';
import { inRoot } from '../../support/root.ts';
import { STORE } from '../../support/stores.ts';
import { startWorld, type World } from '../../support/world.ts';

const read = (file: string) => readFileSync(inRoot(file), 'utf8');

interface Row {
  name: string;
  type: string;
  isOfPostgres: boolean;
}

/** The series of the page. */
function described(): Row[] {
  const rows = [...read('docs/metrics.md').matchAll(/^\| (`svc_[^|]+) \| (\w+) \| ([^|]+) \|/gm)];
  return rows.flatMap(([, names = '', type = '', of = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, type, isOfPostgres: of.includes('PostgreSQL') })),
  );
}

describe('The metrics', () => {
  let world: World;
  let shown: string;

  before(async () => {
    world = await startWorld();
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'measured' });
    for (let time = 0; time < 2; time += 1) await fetch(`${world.origin}/measured`, { redirect: 'manual' });
    // With the embedded stores the jobs begin after the product is ready.
    await untilRun('collectTraffic');
    shown = await registry.metrics();
  });
  after(() => world.stop());

  it('are those of docs/metrics.md, with their types', () => {
    const served = [...shown.matchAll(/^# TYPE (svc_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`).sort();
    const expected = described().filter(({ isOfPostgres }) => STORE === 'postgres' || !isOfPostgres);
    expect(served).to.deep.equal(expected.map(({ name, type }) => `${name} ${type}`).sort());
  });

  it('count what happened', () => {
    const value = (series: string) =>
      Number(
        shown
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(value('svc_redirect_seconds_count{outcome="redirect"}')).to.be.at.least(2);
    expect(value('svc_redirect_seconds_bucket{le="+Inf",outcome="redirect"}')).to.be.at.least(2);
    expect(value('svc_redirect_seconds_sum{outcome="redirect"}')).to.be.greaterThan(0);
    expect(value('svc_link_cache_misses_total')).to.be.at.least(1);
    expect(value('svc_clicks_dropped_total')).to.equal(0);
    expect(value('svc_outbox_events')).to.be.at.least(0);
    expect(value('svc_rollup_oldest_seconds')).to.be.at.least(0);
    expect(shown).to.match(
      /^svc_build_info\{version="[\d.]+",node="v\d+[^"]*",role="all",store="(sqlite|postgres)"\} 1$/m,
    );
  });

  it('have the series that alerts and the board name', () => {
    const known = new Set(described().map(({ name }) => name));
    for (const file of ['deploy/prometheus/alerts.yaml', 'deploy/grafana/svc.json'])
      for (const [name] of read(file).matchAll(/\bsvc_\w+/g))
        expect(known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, '')), `${file}: ${name}`).to.equal(
          true,
        );
  });
});
