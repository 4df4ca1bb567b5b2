// stores: none

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { hasProgram, useShell } from '../../support/cli.ts';

/** What is typed before the Tab, and what is offered. */
const OFFERS: [typed: string, offered: string[]][] = [
  ['svc lin', ['links']],
  ['svc links cr', ['create']],
  ['svc links list --sta', ['--status']],
  ['svc links list --status ', ['flagged', 'archived', 'scheduled', 'expired', 'active']],
  ['svc completion ', ['bash', 'zsh', 'fish', 'powershell']],
];

describe('completion', () => {
  const shell = useShell();
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { env: shell.env, cwd: shell.home, encoding: 'utf8' });

  it('answers in bash, by the function that bash would call', () => {
    const calls = [...OFFERS, ['svc keys create --name x --scopes links:r', ['read']] as [string, string[]]].map(
      ([typed]) =>
        `COMP_LINE='${typed}'; COMP_POINT=${typed.length}; COMPREPLY=(); __svc_complete; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr } = run('bash', '--norc', '-c', `eval "$(svc completion bash)"; ${calls.join('; ')}`);
    expect(stderr).to.equal('');
    expect(stdout.trim().split('\n')).to.deep.equal([...OFFERS.map(([, offered]) => offered.join(' ')), 'read']);
  });

  it('never runs what was typed', () => {
    const typed = 'svc links create $(touch pwned) `touch pwned` ; touch pwned; --exp';
    run(
      'bash',
      '--norc',
      '-c',
      `eval "$(svc completion bash)"; COMP_LINE='${typed}'; COMP_POINT=${typed.length}; __svc_complete`,
    );
    expect(existsSync(`${shell.home}/pwned`)).to.equal(false);
  });

  it('answers in fish', function () {
    if (!hasProgram('fish')) return this.skip();
    const asked = OFFERS.map(([typed]) => `echo (complete -C'${typed}' | string replace -r '\\t.*' '')`);
    const { stdout } = run('fish', '--no-config', '-c', `svc completion fish | source; ${asked.join('; ')}`);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').sort());
    expect(lines).to.deep.equal(OFFERS.map(([, offered]) => [...offered].sort()));
    return undefined;
  });

  it('completes the line in zsh', async function () {
    if (!hasProgram('zsh') || !hasProgram('script')) return this.skip();
    const terminal = shell.terminal("env PS1='ready> ' zsh -f -i");
    await terminal.shows(/ready> /);
    terminal.type('autoload -U compinit; compinit -u -D; source <(svc completion zsh); echo loa""ded\r');
    // Zsh drops what is typed before it shows its prompt.
    await terminal.shows(/loaded\r\n[\s\S]*ready> .*2004h$/);
    terminal.type('svc links cr\t');
    await terminal.shows(/eate/);
    terminal.type('\x15exit\r');
    await terminal.ended();
    return undefined;
  });

  it('prints a script for PowerShell', async () => {
    const { code, stdout } = await shell.svc(['completion', 'powershell']);
    expect(code).to.equal(0);
    expect(stdout).to.contain('Register-ArgumentCompleter');
  });
});
