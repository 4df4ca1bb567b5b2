// plays, stores: each
import { expect } from 'chai';
import { type Api, apiOf, type Reply } from '../support/api.ts';
import { askStore } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { ended, postCsv } from '../support/imports.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Leases end soon after a kill, also where other processes may share the store, but not before a busy machine has answered. */
const LEASES = { REQUEST_SECONDS: '10', IDEMPOTENCY_LEASE_SECONDS: '11', IMPORT_LEASE_SECONDS: '2' };

/** As many requests are on their way when the process is killed. */
const WRITERS = 20;
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const KILLS_OF_AN_IMPORT = 2;
/** Twenty batches. */
const ROWS = 2000;
const BATCH_ROWS = 100;

describe('kill -9 during writes', () => {
  let store: Store;
  let child: Child;
  let port: number;
  let api: Api;

  const start = () =>
    startChild(port, {
      ...store.env,
      ...LEASES,
      IMPORT_BATCH_ROWS: String(BATCH_ROWS),
      RATE_LIMIT_PER_MINUTE: '1000000',
      TRAFFIC_COLLECT_SECONDS: '60',
    });

  before(async function () {
    this.timeout(600_000);
    store = await makeStore();
    port = await freePort();
    child = await start();
    api = apiOf(child.origin, child.secretKey);
  });
  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  const restart = async () => {
    await child.kill();
    child = await start();
  };

  const stateOf = async (importId: string) => {
    const links = '(SELECT COUNT(*) FROM links WHERE links.batch_id = imports.batch_id)';
    const sql = `SELECT status, created, ${links} AS links FROM imports WHERE id = '${importId}'`;
    const [row] = await askStore<{ status: string; created: number; links: number | string }>(store, sql);
    return { status: row?.status, created: Number(row?.created), links: Number(row?.links) };
  };
  const countOf = async (query: string) => (await api('GET', `/links/count?${query}`)).body.count;

  it('makes each link once that is asked for again with its Idempotency-Key', async function () {
    this.timeout(600_000);
    const keys: string[] = [];
    let answered = 0;
    const post = (key: string): Promise<Reply | null> =>
      api(
        'POST',
        '/links',
        { destination: 'https://www.example.com/', title: key, tags: ['made'] },
        { headers: { 'Idempotency-Key': key } },
      ).catch(() => null);
    for (let round = 0; round < ROUNDS; round += 1) {
      let isStopped = false;
      const writer = async (name: number) => {
        for (let at = 0; !isStopped; at += 1) {
          const key = `${round}-${name}-${at}`;
          keys.push(key);
          const reply = await post(key);
          // The process is gone.
          if (!reply) return;
          if (reply.status === 201) answered += 1;
        }
      };
      const writers = Array.from({ length: WRITERS }, (_, name) => writer(name));
      await until(() => answered > (round + 1) * WRITERS * 2, 'writes', 120_000).finally(() => child.kill());
      isStopped = true;
      await Promise.all(writers);
      child = await start();
    }
    const ids = new Set<string>();
    const askAgain = async (key: string) => {
      const reply = await until(
        async () => {
          const given = await post(key);
          return given?.status === 201 ? given : null;
        },
        `an answer to ${key}`,
        120_000,
      );
      expect(reply.body.title).to.equal(key);
      ids.add(reply.body.id);
    };
    const left = [...keys];
    const askers = Array.from({ length: WRITERS }, async () => {
      for (let key = left.shift(); key; key = left.shift()) await askAgain(key);
    });
    await Promise.all(askers);
    expect(keys.length).to.be.greaterThan(ROUNDS * WRITERS * 2);
    expect(ids.size).to.equal(keys.length);
    expect(await countOf('tag=made')).to.equal(keys.length);
    const link = [...ids][0];
    const events = (await api('GET', `/events?type=link.created&link_id=${link}`)).body.data;
    expect(events).to.have.length(1);
  });

  it('takes in each row of an import once, and tells of it once', async function () {
    this.timeout(600_000);
    const before = await countOf('');
    const rows = Array.from({ length: ROWS }, (_, at) => `https://www.example.com/${at},row-${at},a|b`);
    const { body: started } = await postCsv(api, `destination,external_id,tags\n${rows.join('\n')}\n`);
    let kills = 0;
    let seen = 0;
    while (kills < KILLS_OF_AN_IMPORT) {
      const current = await until(async () => {
        const state = await stateOf(started.id);
        // What a kill between two commits would leave is looked for all the while: few kills find such a moment.
        expect(state.links, 'links of an import, and its count').to.equal(state.created);
        return state.created > seen || state.status === 'finished' ? state : null;
      }, 'the import to go on');
      if (current.status === 'finished') break;
      seen = current.created;
      kills += 1;
      await restart();
    }
    expect(kills).to.be.greaterThan(0);
    const done = await ended(api, started.id);
    expect([done.status, done.progress]).to.deep.equal(['finished', 1]);
    expect(done.counts).to.deep.equal({ rows: ROWS, created: ROWS, updated: 0, skipped: 0, failed: 0 });
    expect(await countOf(`batch_id=${done.batch_id}`)).to.equal(ROWS);
    expect(await countOf('')).to.equal(before + ROWS);
    const events = (await api('GET', '/events?type=links.imported')).body.data;
    expect(events).to.have.length(1);
    expect(events[0].data.link_ids).to.have.length(ROWS);
  });
});
