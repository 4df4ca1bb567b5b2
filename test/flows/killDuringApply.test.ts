// plays, stores: any
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { SVC } from '../support/cli.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/**
 * Whether the store keeps a killed transaction out is the subject of killDuringWrites, on each store; here, of the calls around it.
 * Five calls, so that one is cut in the middle of others: a call has at most 200 new tags, and each link has one of its own.
 * APPLY_LINKS=10000 shows the same of more.
 */
const LINKS = Number(process.env.APPLY_LINKS ?? 800);
const MOST_TAGS = 4000;
const SETTINGS = {
  ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_ROWS_PER_MINUTE: '10000000', REQUEST_SECONDS: '60' },
  TRAFFIC_COLLECT_SECONDS: '60',
};

interface Ended {
  code: number | null;
  printed: string;
}

describe('kill -9 during apply', () => {
  let store: Store;
  let child: Child;
  let port: number;
  let api: Api;
  let folder: string;
  /** Each test has its own. */
  let stack = '';

  const start = async () => {
    child = await startChild(port, { ...store.env, ...SETTINGS });
    api = apiOf(child.origin, child.secretKey);
  };

  before(async function () {
    this.timeout(600_000);
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', 'cli'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    [store, port] = await Promise.all([makeStore(), freePort()]);
    await start();
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-apply-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  const write = (version: string, count = LINKS) => {
    const links = Array.from(
      { length: count },
      (_, at) =>
        `  l${at}: { slug: ${stack}${at}, destination: "https://example.com/${version}/${at}", tags: [t${at % MOST_TAGS}] }`,
    );
    writeFileSync(path.join(folder, 'links.yaml'), `version: 1\nstack: ${stack}\nlinks:\n${links.join('\n')}\n`);
  };

  const apply = (...more: string[]): { process: ChildProcess; ended: Promise<Ended> } => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      SVC_URL: child.origin,
      SVC_KEY: child.secretKey,
      NO_COLOR: '1',
    };
    const run = spawn(process.execPath, [SVC, 'apply', '--yes', '--allow-many', ...more], { cwd: folder, env });
    let printed = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (printed += text));
    const ended = new Promise<Ended>((resolve) =>
      run.once('close', (code) => resolve({ code, printed: printed.slice(-2000) })),
    );
    return { process: run, ended };
  };

  const countOf = async (query = '') =>
    (await api('GET', `/links/count?managed_by=code:${stack}${query}`)).body.count as number;

  const eventsOf = async (type: string): Promise<{ data: { link?: { id: string } } }[]> => {
    const events = [];
    for (let cursor = ''; ; ) {
      const { body } = await api('GET', `/events?type=${type}&limit=100${cursor && `&cursor=${cursor}`}`);
      events.push(...body.data);
      if (!body.next_cursor) return events;
      cursor = body.next_cursor;
    }
  };

  /** Every link there once, as the file says, and a plan that finds nothing. */
  const expectInStep = async (version: string) => {
    expect(await countOf()).to.equal(LINKS);
    const text = (await api('GET', `/links/export?managed_by=code:${stack}&format=ndjson`)).body as string;
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = (name: string) => `https://example.com/${version}/${name.slice(`${stack}/l`.length)}`;
    expect(new Set(rows.map(({ external_id }) => external_id)).size).to.equal(LINKS);
    expect(rows.filter(({ external_id, destination }) => destination !== expected(external_id))).to.deep.equal([]);
    const again = await apply().ended;
    expect([again.code, again.printed.includes('In step: there is nothing to do.')], again.printed).to.deep.equal([
      0,
      true,
    ]);
  };

  it('of the command line leaves nothing twice and nothing out', async function () {
    this.timeout(900_000);
    stack = 'client';
    write('1');
    const first = apply();
    await until(async () => (await countOf()) > LINKS / 5, 'the first links', 120_000);
    first.process.kill('SIGKILL');
    await first.ended;
    const after = await countOf();
    expect(after).to.be.below(LINKS);
    const second = await apply().ended;
    expect(second.code, second.printed).to.equal(0);
    await expectInStep('1');

    write('2');
    const third = apply();
    await until(async () => (await countOf('&search=example.com/2/')) > LINKS / 5, 'the first changes', 120_000);
    third.process.kill('SIGKILL');
    await third.ended;
    const fourth = await apply().ended;
    expect(fourth.code, fourth.printed).to.equal(0);
    await expectInStep('2');
    const ids = (await eventsOf('link.updated')).map(({ data }) => data.link?.id);
    expect([ids.length, new Set(ids).size]).to.deep.equal([LINKS, LINKS]);
  });

  it('of the server leaves nothing twice and nothing out', async function () {
    this.timeout(900_000);
    stack = 'server';
    write('1');
    const first = apply();
    await until(async () => (await countOf()) > LINKS / 5, 'the first links', 120_000);
    await child.kill();
    const { code } = await first.ended;
    expect(code).to.not.equal(0);
    await start();
    const second = await apply().ended;
    expect(second.code, second.printed).to.equal(0);
    await expectInStep('1');
  });

  it('is not needed: two at once end in step', async function () {
    this.timeout(900_000);
    stack = 'both';
    write('1');
    const both = await Promise.all([apply().ended, delay(300).then(() => apply().ended)]);
    for (const { code, printed } of both) expect(code, printed).to.equal(0);
    await expectInStep('1');
  });
});
