// stores: each
import { expect } from 'chai';
import { failureOfCode } from '../../../src/db/storeFailures.ts';
import type { Reply } from '../../support/api.ts';
import { type Fault, type PostgresProxy, startPostgresProxy } from '../../support/postgresProxy.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { type OwnWorld, startWorld } from '../../support/world.ts';

/** Every SQLSTATE of these classes, as appendix A of PostgreSQL's manual lists them. */
const CODES = [
  ...['08000', '08003', '08006', '08001', '08004', '08007', '08P01'],
  ...['25000', '25001', '25002', '25008', '25003', '25004', '25005', '25006', '25007', '25P01', '25P02', '25P03'],
  ...['25P04', '40000', '40002', '40001', '40003', '40P01', '53000', '53100', '53200', '53300', '53400'],
  ...['57000', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030', '58P01', '58P02', '58P03'],
];
/** Those that end the session as well; at other moments every code does. */
const FATAL = ['08006', '25P03', '40001', '57P01', '58030'];

describe('every error with which PostgreSQL may end or refuse work', () => {
  let proxy: PostgresProxy;
  let world: OwnWorld;
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);

  before(async function () {
    if (STORE !== 'postgres') this.skip();
    process.on('unhandledRejection', note);
    world = await startWorld({}, async ({ env }) => {
      proxy = await startPostgresProxy(env.DATABASE_URL as string);
      return { DATABASE_URL: proxy.url };
    });
  });
  after(async () => {
    await world?.stop();
    await proxy?.close();
    process.off('unhandledRejection', note);
    expect(faults, 'unhandled rejections').to.deep.equal([]);
  });

  const create = (slug: string) =>
    world.api(
      'POST',
      '/links',
      { destination: 'https://example.com/', slug },
      { headers: { 'Idempotency-Key': `key of ${slug.replaceAll('-', ' ')}` } },
    );
  const links = async (slug: string): Promise<number> => {
    const { body } = await world.api('GET', `/links?search=${slug}`);
    return body.data.length;
  };
  const expectRefused = ({ status, headers, body }: Reply, what: string) => {
    expect([status, body.error?.code], what).to.deep.equal([503, 'unavailable']);
    expect(Number(headers.get('Retry-After')), what).to.be.greaterThan(0);
  };
  /** A request that meets the fault, and its repeat, which has the one effect. */
  const play = async (fault: Omit<Fault, 'mark'>, nth: number) => {
    const slug = `${fault.at}-${nth}`;
    const what = `${fault.severity} ${fault.code} at ${fault.at}`;
    const before = proxy.sent();
    proxy.fail({ ...fault, mark: slug });
    const reply = await create(slug);
    expect(proxy.sent(), `${what} was not played`).to.equal(before + 1);
    const runsAgain = failureOfCode(fault) === 'conflict';
    if (runsAgain && fault.at !== 'committed') expect(reply.status, what).to.equal(201);
    else if (!runsAgain) expectRefused(reply, what);
    let repeat = await create(slug);
    await until(async () => {
      if (repeat.status === 409) repeat = await create(slug);
      return repeat.status !== 409;
    }, `the claim of ${what} to be released`);
    expect(repeat.status, `the repeat after ${what}`).to.equal(201);
    expect(await links(slug), `links after ${what}`).to.equal(1);
  };

  for (const at of ['statement', 'commit'] as const) {
    it(`at ${at}: 503 or another try, nothing half done, and a repeat has one effect`, async () => {
      for (const [nth, code] of CODES.entries()) await play({ at, code, severity: 'ERROR' }, nth);
      for (const [nth, code] of FATAL.entries()) await play({ at, code, severity: 'FATAL' }, CODES.length + nth);
    });
  }

  it('at COMMIT after it took effect: a repeat with the same Idempotency-Key has no second one', async () => {
    for (const [nth, code] of CODES.entries()) await play({ at: 'committed', code, severity: 'FATAL' }, nth);
    await play({ at: 'committed', code: '40003', severity: 'ERROR' }, CODES.length);
  });

  it('while a session has nothing to do: the next request is answered', async () => {
    for (const code of CODES) {
      await world.api('GET', '/links');
      await until(() => proxy.endIdle(code) > 0, 'an idle session');
      const reply = await world.api('GET', '/links');
      if (reply.status !== 200) expectRefused(reply, `${code} while idle`);
      await until(async () => (await world.api('GET', '/links')).status === 200, `an answer after ${code}`);
    }
  });

  for (const at of ['connect', 'opened'] as const) {
    it(`when a session begins (${at}): 503, and no connection is left behind`, async () => {
      for (const code of CODES) {
        proxy.fail({ at, code, severity: 'FATAL' });
        proxy.endIdle('57P01');
        const reply = await world.api('GET', '/links');
        if (reply.status !== 200) expectRefused(reply, `${code} at ${at}`);
        await until(async () => (await world.api('GET', '/links')).status === 200, `an answer after ${code}`);
      }
    });
  }
});
