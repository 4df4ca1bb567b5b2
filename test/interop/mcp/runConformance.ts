import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from '../../support/root.ts';

export interface Conformance {
  code: number | null;
  output: string;
}

/** Runs the requirements of a revision. `expectedFailures`: scenarios that cannot pass; any other failure, and a pass of one of these, is an error. */
export async function runConformance(
  url: string,
  args: string[],
  expectedFailures: string[] = [],
): Promise<Conformance> {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  const baseline = path.join(folder, 'expected.yaml');
  await writeFile(baseline, `server:\n${expectedFailures.map((name) => `  - ${name}\n`).join('')}`);
  const main = inRoot('test/interop/node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const all = [
    main,
    'server',
    '--url',
    url,
    ...args,
    ...(expectedFailures.length > 0 ? ['--expected-failures', baseline] : []),
  ];
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await rm(folder, { recursive: true });
  return { code, output };
}
