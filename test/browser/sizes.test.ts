// stores: none
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

describe('what the dashboard loads', () => {
  it('is within its budgets', () => {
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'sizes'], { encoding: 'utf8' });
    const tooLarge = stdout.split('\n').filter((line) => line.startsWith('✘'));
    expect([status, tooLarge]).to.deep.equal([0, []]);
  }).timeout(20_000);
});
