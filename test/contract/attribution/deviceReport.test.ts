// stores: any
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { withJsonRows } from '../../../src/db/jsonRows.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { firstIdAt, newId } from '../../../src/kernel/ids.ts';
import { clicksOf, GO, IPHONE, locationOf, tokenIn, useAppLinks } from '../../support/appLinks.ts';
import { type RawAsk, rawRequest } from '../../support/rawRequest.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const DEVICE = { timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } };

interface Row {
  click_id: string;
  project_id: string;
  timezone: string;
  screen: unknown;
}

describe('what the page that leads into an app tells of its device', () => {
  const { world, tenants, make, follow, openPage } = useAppLinks();

  const report = (token: string, body: unknown = DEVICE, ask: RawAsk = {}) =>
    rawRequest(world().origin, `/_open/device?t=${token}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...ask,
    });
  const rows = async () => {
    const all = await query<Row>('SELECT click_id, project_id, timezone, screen FROM click_devices');
    return all.map((row) => ({ ...row, screen: typeof row.screen === 'string' ? JSON.parse(row.screen) : row.screen }));
  };
  const claims = (clickId = newId('clk')) => ({ clickId, projectId: tenants().mine.projectId, linkId: newId('lnk') });
  const insert = (ids: string[]) =>
    inTransaction((transaction) =>
      withJsonRows(
        { click_id: 'text', created_at: 'time' },
        ids.map((id) => [id, '2026-01-01 00:00:00.000 +00:00']),
        "INSERT INTO click_devices (click_id, project_id, created_at) SELECT click_id, 'prj_x', created_at FROM given WHERE true",
        transaction,
      ),
    );
  beforeEach(() => inTransaction((transaction) => queryRaw('DELETE FROM click_devices', [], transaction)));

  it('is kept for the click that led to the page, as it was told first', async () => {
    const link = await make('store');
    const token = tokenIn(locationOf(await follow(link, IPHONE)));
    const reply = await report(token, DEVICE, { headers: { 'Content-Type': 'text/plain;charset=UTF-8' } });
    expect([reply.status, reply.body]).to.deep.equal([204, '']);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
    const clickId = await until(async () => (await clicksOf(link))[0], 'the click');
    const row = { click_id: clickId, project_id: tenants().mine.projectId, ...DEVICE };
    expect(await rows()).to.deep.equal([row]);
    expect((await report(token, { ...DEVICE, timezone: 'UTC' })).status).to.equal(204);
    expect(await rows()).to.deep.equal([row]);
  });

  it('is kept once when told many times at once', async () => {
    const token = issueClickToken(claims(), Date.now());
    const replies = await Promise.all(Array.from({ length: 8 }, () => report(token)));
    expect(replies.map(({ status }) => status)).to.deep.equal(Array(8).fill(204));
    expect(await rows()).to.have.length(1);
  });

  it('204 and nothing is kept without a genuine token of a click of the last 24 hours', async () => {
    const now = Date.now();
    const genuine = issueClickToken(claims(), now);
    const worthless = [
      '',
      'x',
      `${genuine}x`,
      genuine.slice(0, -1) + (genuine.endsWith('A') ? 'Q' : 'A'),
      issueClickToken(claims(), now - 91 * 24 * HOUR_MS),
      issueClickToken(claims(), now - 24 * HOUR_MS - 1000),
    ];
    for (const token of worthless) expect((await report(token)).status, token).to.equal(204);
    const bare = { method: 'POST', body: JSON.stringify(DEVICE) };
    expect((await rawRequest(world().origin, '/_open/device', bare)).status).to.equal(204);
    expect(await rows()).to.deep.equal([]);
    await report(issueClickToken(claims(), now - 23.9 * HOUR_MS));
    expect(await rows()).to.have.length(1);
  });

  it('204 and nothing is kept of what is no such report', async () => {
    const token = issueClickToken(claims(), Date.now());
    const { timezone, screen } = DEVICE;
    const withScreen = (more: object) => ({ timezone, screen: { ...screen, ...more } });
    const strange = [
      '',
      '{',
      'null',
      '[]',
      '"Europe/Berlin"',
      JSON.stringify(DEVICE) + ' '.repeat(2048),
      JSON.stringify({ ...DEVICE, pad: 'x'.repeat(1_000_000) }),
      { timezone },
      { screen },
      { ...DEVICE, language: 'de' },
      `{"timezone":"UTC","screen":{"width":1,"height":1,"scale":1},"__proto__":{}}`,
      { ...DEVICE, timezone: 'Mars/Olympus' },
      { ...DEVICE, timezone: '+01:00' },
      { ...DEVICE, timezone: '' },
      { ...DEVICE, timezone: null },
      { ...DEVICE, timezone: ['UTC'] },
      { ...DEVICE, timezone: 'x'.repeat(65) },
      { timezone, screen: null },
      { timezone, screen: [393, 852, 3] },
      withScreen({ width: 0 }),
      withScreen({ width: -1 }),
      withScreen({ width: '393' }),
      withScreen({ height: 100_001 }),
      withScreen({ height: null }),
      withScreen({ scale: 10.1 }),
      withScreen({ scale: true }),
      withScreen({ depth: 24 }),
      '{"timezone":"UTC","screen":{"width":1e999,"height":1,"scale":1}}',
    ];
    for (const body of strange) {
      const reply = await report(token, body);
      expect([reply.status, reply.body], JSON.stringify(body).slice(0, 100)).to.deep.equal([204, '']);
    }
    expect(await rows()).to.deep.equal([]);
    const extreme = { timezone: 'America/Argentina/ComodRivadavia', screen: { width: 0.5, height: 1e5, scale: 10 } };
    await report(token, JSON.stringify(extreme).padEnd(2048));
    expect(await rows()).to.have.length(1);
  });

  it('405 for other methods, and is no path of a link domain', async () => {
    const token = issueClickToken(claims(), Date.now());
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
      const { status, headers } = await report(token, DEVICE, { method });
      expect([status, headers.allow], method).to.deep.equal([405, 'POST']);
    }
    expect((await report(token, DEVICE, { host: GO })).status).to.equal(404);
    expect(await rows()).to.deep.equal([]);
  });

  it('204 while the store is down', async () => {
    await renameTable('click_devices', 'click_devices_away');
    const { status } = await report(issueClickToken(claims(), Date.now()));
    await renameTable('click_devices_away', 'click_devices');
    expect(status).to.equal(204);
    expect((await rawRequest(world().origin, '/readyz')).status).to.equal(200);
  });

  it('is deleted when the click is three days old', async () => {
    const idAt = (hoursOld: number) =>
      firstIdAt('clk', Date.now() - hoursOld * HOUR_MS).slice(0, 14) + newId('clk').slice(14);
    const kept = [idAt(0), idAt(71)].sort();
    await insert([...Array.from({ length: 1100 }, () => idAt(73)), ...kept]);
    await purgeOld(new AbortController().signal);
    expect((await rows()).map(({ click_id }) => click_id).sort()).to.deep.equal(kept);
  });

  it('may be told by that page alone, to its own host', async () => {
    const page = await openPage(locationOf(await follow(await make('store'), IPHONE)));
    expect(page.headers['content-security-policy']?.split('; ')).to.include("connect-src 'self'");
    const missing = await rawRequest(world().origin, '/_open?t=x');
    expect(missing.headers['content-security-policy']).not.to.include('connect-src');
  });
});
