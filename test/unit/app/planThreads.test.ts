// stores: none
import { expect } from 'chai';
import { PlanThreads } from '../../../src/app/PlanThreads.ts';
import { loadConfig } from '../../../src/kernel/config.ts';

describe('threads that plan links as code', () => {
  before(() => void loadConfig({}));

  it('plan in another thread while the last one ends', async () => {
    const threads = new PlanThreads(() => 'links.example.com');
    const asked: string[] = [];
    const performer = {
      perform: async (operation: string) => {
        asked.push(operation);
        throw new Error('nothing is asked for a document that is not valid');
      },
    };
    const plan = () => threads.plan('links: 1', { prune: false, adopt: false, teamId: 'team_1' }, performer);
    const problemsOf = (error: { problems?: { message: string }[] }) => error.problems?.map(({ message }) => message);
    const first = await plan().catch(problemsOf);
    threads.stop();
    const second = await plan().catch(problemsOf);
    threads.stop();
    expect(first).to.be.an('array').that.is.not.empty;
    expect(second).to.deep.equal(first);
    expect(asked).to.deep.equal([]);
  });
});
