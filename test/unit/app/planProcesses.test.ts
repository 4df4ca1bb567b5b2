// stores: none
import { expect } from 'chai';
import { PlanProcesses } from '../../../app/PlanProcesses.ts';
import type { Answered, Asked, Performer } from '../../../sdk/code/engineOf.ts';
import { config } from '../../../src/kernel/config.ts';
import { until } from '../../support/until.ts';
import { useSettings } from '../../support/world.ts';

const STACK = 'version: 1\nstack: marketing\n';
const PLANNED = `${STACK}tags:\n  q4: { color: blue }\n`;
/** The reader of YAML works on it for ten seconds of a quick machine, or has no memory for it. */
const ENDLESS = `${STACK}links: ${'['.repeat(4_000_000)}`;
const OPTIONS = { prune: false, adopt: false, teamId: 'team_1' };
const KEY = { project: { id: 'prj_1', name: 'Mine', default_domain: 'go.example.com' } };

type Perform = (operation: string, asked: Asked) => Promise<Answered>;
const ok = (body: unknown): Answered => ({ ok: true, body });
const empty = ok({ data: [], next_cursor: null });

/** A project without anything, but for what `perform` answers. */
const performer = (perform: (...asked: Parameters<Perform>) => Promise<Answered> | null = () => null): Performer => ({
  perform: async (operation, asked) =>
    (await perform(operation, asked)) ?? (operation === 'getCurrentKey' ? ok(KEY) : empty),
});
const refusalOf = (promise: Promise<unknown>): Promise<Error & { problems?: { message: string }[]; code?: string }> =>
  promise.then(
    () => expect.fail('It was planned'),
    (error) => error,
  );
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('processes that plan links as code', () => {
  useSettings({ planSeconds: 1 });
  let processes: PlanProcesses;

  beforeEach(() => {
    config.planSeconds = 1;
    processes = new PlanProcesses(() => 'go.example.com');
  });
  afterEach(() => processes.stop());

  const plan = (document = PLANNED, asked = performer(), options = OPTIONS) => processes.plan(document, options, asked);
  const expectGivenUp = async (planned: Promise<unknown>) => {
    const [problem, ...others] = (await refusalOf(planned)).problems ?? [];
    expect(problem?.message).to.match(/takes more than \d+ seconds, or more memory/);
    expect(others).to.deep.equal([]);
  };

  it('give up a document that takes longer than the deadline, while other teams and the process go on', async () => {
    let isMet = false;
    const turn = setInterval(() => {
      isMet = true;
    }, 5);
    // It may be given up before the other one has been planned.
    const givenUp = expectGivenUp(plan(ENDLESS));
    const others = Promise.all([plan(PLANNED, performer(), { ...OPTIONS, teamId: 'team_2' }), givenUp]);
    const [other] = await others.finally(() => clearInterval(turn));
    expect([other.records, isMet]).to.deep.equal([1, true]);
    expect((await plan()).records).to.equal(1);
  });

  it('do not count the time in which they wait for operations', async () => {
    const slow = performer((operation) => (operation === 'getCurrentKey' ? delay(1500).then(() => ok(KEY)) : null));
    expect((await plan(PLANNED, slow)).records).to.equal(1);
  });

  it('end alone where a plan needs more memory than there is for it', async () => {
    config.planSeconds = 600;
    const page = { data: Array.from({ length: 100 }, () => ({ name: 'x'.repeat(100_000) })), next_cursor: 'more' };
    let pages = 0;
    const endless = performer((operation) => {
      if (operation !== 'listTags') return null;
      pages += 1;
      return Promise.resolve(ok(pages < 200 ? page : { data: [], next_cursor: null }));
    });
    await expectGivenUp(plan(PLANNED, endless));
    expect(pages).to.be.within(10, 100);
    expect((await plan()).records).to.equal(1);
  });

  it('plan on after a plan that was refused while another of its operations was under way', async () => {
    let answered = 0;
    const refused = performer((operation) => {
      const refusal = { code: 'insufficient_scope', message: 'This key lacks webhooks:read.' };
      if (operation === 'listWebhooks') return Promise.resolve<Answered>({ ok: false, refusal });
      if (operation !== 'listTags') return null;
      return delay(100).then(() => {
        answered += 1;
        return empty;
      });
    });
    const document = `${PLANNED}webhooks:\n  one: { url: https://hooks.example.com/one }\n`;
    expect((await refusalOf(plan(document, refused))).code).to.equal('insufficient_scope');
    // Neither its deadline nor what it would ask next must reach another document.
    const slow = performer((operation) => (operation === 'getCurrentKey' ? delay(2500).then(() => ok(KEY)) : null));
    const next = plan(PLANNED, slow);
    await until(() => answered === 1, 'the answer that nobody needs any more');
    expect((await next).records).to.equal(1);
  });

  it('plan in another one while the last one ends', async () => {
    expect((await plan()).records).to.equal(1);
    processes.stop();
    expect((await plan()).records).to.equal(1);
  });
});
