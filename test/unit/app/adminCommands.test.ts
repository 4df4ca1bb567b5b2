// stores: none
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ADMIN_COMMANDS } from '../../../app/admin/commands/table.ts';
import { inRoot } from '../../support/root.ts';

describe('The list of admin commands', () => {
  it('in docs/operate.md has each command, and no other', () => {
    const [, section = ''] = readFileSync(inRoot('docs/operate.md'), 'utf8').split('## Admin commands');
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| `(?!npm)/.test(line));
    const shown = rows.flatMap((row) => {
      const [, commands = ''] = row.split('|');
      return [...commands.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, name]) => name);
    });
    expect(shown.sort()).to.deep.equal(ADMIN_COMMANDS.map(({ name }) => name).sort());
  });

  it('is run whole by the test of the flow', () => {
    const flow = readFileSync(inRoot('test/flows/admin.test.ts'), 'utf8');
    for (const { name } of ADMIN_COMMANDS) expect(flow, name).to.match(new RegExp(`'${name}'[,)]`));
  });
});
