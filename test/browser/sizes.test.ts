// plays, stores: none
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

describe('what the dashboard loads', () => {
  it('is within its budgets', () => {
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'sizes'], { encoding: 'utf8' });
    const tooLarge = stdout.split('\n').filter((line) => line.startsWith('✘'));
    expect([status, tooLarge]).to.deep.equal([0, []]);
    // Of npm and Node alone, on a machine whose processors have much else to do.
  }).timeout(120_000);
});
