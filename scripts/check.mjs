import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * `npm run check` runs every script of package.json that is named `check:…`, two at a time, the longest first. Each is a line when it
 * ends; what the failed ones print follows.
 */
const AT_ONCE = 2;
const LONGEST_FIRST = ['check:generated', 'check:types', 'check:dashboard', 'check:unused', 'check:imports'];

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const waiting = [...LONGEST_FIRST.filter((name) => names.includes(name)), ...names].filter(
  (name, at, all) => all.indexOf(name) === at,
);
const failures = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await check(name);
  }),
);
process.stdout.write(failures.join(''));
process.exit(failures.length === 0 ? 0 : 1);

async function check(name) {
  const begunAt = performance.now();
  const { status, output } = await run(name);
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✔' : '✘'} ${name} ${seconds} s\n`);
  if (status !== 0) failures.push(`\n── ${name} ──\n${output}`);
}

function run(name) {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, output }));
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
  });
}
