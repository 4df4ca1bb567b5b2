// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { attributeOpening } from '../../../src/attribution/attributeOpening.ts';
import { attributionContext } from '../../../src/attribution/context.ts';
import { prepareOpening } from '../../../src/attribution/prepareOpening.ts';
import { query } from '../../../src/db/query.ts';
import { config } from '../../../src/kernel/config.ts';
import { useInstalls } from '../../support/installs.ts';
import { newAddress, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';

type App = Parameters<typeof prepareOpening>[0];

const DAY_SECONDS = 86_400;

describe('installs over time', () => {
  const { world, mine, sdk, makeLink, installBy, show, explain } = useInstalls();

  it('change with what the app tells later, but not in when it was opened first', async () => {
    const time = stopClock();
    const installId = await installBy(await makeLink(), { app_version: '1.0' });
    const before = await show(installId);
    time.move(60);
    await sdk().open({ install_id: installId, first_open: false, app_version: '1.1', os_version: '18.2' });
    const updated = { app_version: '1.1', os_version: '18.2', updated_at: new Date(time.nowMs).toISOString() };
    expect(await show(installId)).to.deep.equal({ ...before, ...updated });
    time.move(60);
    await sdk().open({ install_id: installId, first_open: false, app_version: null, os_version: null });
    expect(await show(installId)).to.include({ app_version: '1.1', os_version: '18.2' });
  });

  it('that come back by another link show it, and are told of once', async () => {
    const time = stopClock();
    const [before, after] = [await makeLink(), await makeLink()];
    const installId = await installBy(before);
    const first = await show(installId);
    const answered = async () => {
      const from = newAddress();
      await visit(world(), after, { from });
      return (await sdk().open({ install_id: installId }, { from })).body;
    };
    time.move(DAY_SECONDS - 1);
    expect((await answered()).link.id).to.equal(before.id);
    expect(await show(installId)).to.deep.equal(first);
    time.move(1);
    expect((await answered()).link.id).to.equal(after.id);
    const again = await show(installId);
    const { id, first_opened_at, created_at } = first;
    expect(again).to.deep.include({ id, first_opened_at, created_at, link_id: after.id });
    expect(again.click_id).not.to.equal(first.click_id);
    const types = async (type: string) => (await mine().api('GET', `/events?type=${type}`)).body.data;
    await until(async () => (await types('app.opened')).length === 2, 'the second opening');
    const [told, ...more] = await types('app.installed');
    expect([told.data.link.id, more]).to.deep.equal([before.id, []]);
  });

  it('have a report for MATCH_REPORT_DAYS; what came of it stays', async () => {
    const time = stopClock();
    const installId = await installBy(await makeLink());
    const report = await explain(installId);
    time.move(config.matchReportDays * DAY_SECONDS);
    await purgeOld(new AbortController().signal);
    expect(await explain(installId)).to.deep.equal(report);
    time.move(1);
    await purgeOld(new AbortController().signal);
    const { match, match_revised_at, click_id, link_id, install_id, threshold, required_margin } = report;
    expect(await explain(installId)).to.deep.equal({
      ...{ match, match_revised_at, click_id, link_id, install_id, threshold, required_margin },
      why: 'The report on this match is no longer kept.',
      ...{ margin: null, address: null, tokens: [], device: null, candidates: [] },
    });
  });

  it('have a report of the opening that they are traced back by, when they are installed anew', async () => {
    const time = stopClock();
    const [before, after, from] = [await makeLink(), await makeLink(), newAddress()];
    const [one, other] = [await installBy(before), await installBy(before)];
    const report = await explain(one);
    time.move(DAY_SECONDS);
    await sdk().open({ install_id: one }, { from });
    expect(await explain(one)).to.deep.equal(report);
    await visit(world(), after, { from });
    await sdk().open({ install_id: other }, { from });
    const again = await explain(other);
    expect(again).to.include({ link_id: after.id, why: report.why });
    expect(again.candidates[0]).to.include({ link_id: after.id, verdict: 'matched', click_id: again.click_id });
  });

  it('stay when their openings and events are kept no longer, and when their clicks are forgotten', async () => {
    const time = stopClock();
    const installId = await installBy(await makeLink());
    await sdk().event({ install_id: installId, name: 'purchase' });
    const shown = await show(installId);
    const told = async () => (await mine().api('GET', '/events?type=app.event')).body.data.length === 1;
    await until(told, 'the event to be told of');
    const purge = () => purgeOld(new AbortController().signal);
    const kept = async () => {
      const count = async (table: string) => {
        const [row] = await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE install_id = :installId`, {
          installId,
        });
        return Number(row?.n);
      };
      return [await count('used_clicks'), await count('opens'), await count('app_events')];
    };
    // A token is good for 90 days: so long its click must be known as used.
    time.move(91 * DAY_SECONDS - 60);
    await purge();
    expect(await kept()).to.deep.equal([1, 1, 1]);
    time.move(120);
    await purge();
    expect(await kept()).to.deep.equal([0, 1, 1]);
    time.move((config.appEventRetentionDays - 91) * DAY_SECONDS - 120);
    await purge();
    expect(await kept()).to.deep.equal([0, 1, 1]);
    time.move(180);
    await purge();
    expect(await kept()).to.deep.equal([0, 0, 0]);
    expect(await show(installId)).to.deep.equal(shown);
  });

  it('keep what the click told, also where the next opening is told of at the same moment', async () => {
    const [link, from] = [await makeLink(), newAddress()];
    await visit(world(), link, { from });
    await attributionContext().flushClicks();
    const { projectId, teamId } = mine();
    const app: App = { kind: 'key', keyKind: 'publishable', keyId: 'key_1', projectId, teamId, scopes: new Set() };
    const prepare = (installId: string, firstOpen: boolean) =>
      prepareOpening(
        app,
        { installId, firstOpen, platform: 'ios', language: 'de', osVersion: '18.1' },
        from,
        attributionContext(),
      );
    const installId = randomUUID();
    const [somebody, first, next] = [
      await prepare(randomUUID(), false),
      await prepare(installId, true),
      await prepare(installId, false),
    ];
    // While the first is written down the others wait, and share the next transaction.
    const [, matched] = await Promise.all([somebody, first, next].map(attributeOpening));
    expect(matched?.link?.id).to.equal(link.id);
    const [row] = await query<{ origin: string | object }>(
      'SELECT origin FROM installs WHERE install_id = :installId',
      {
        installId,
      },
    );
    const origin = typeof row?.origin === 'string' ? JSON.parse(row.origin) : row?.origin;
    expect(origin).to.include({ destination: 'https://www.example.com/' });
  });
});
