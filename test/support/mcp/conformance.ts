import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as ask, createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from '../root.ts';

/** Adds the key, which the conformance tests cannot send, and passes everything else on as it is. */
export async function withKey(target: URL, key: string): Promise<{ url: string; close(): Promise<void> }> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const passed = ask(
      { port: target.port, host: target.hostname, method: request.method, path: request.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    // A client that leaves cancels what it asked for.
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await listening(proxy);
  return { url: `http://localhost:${portOf(proxy)}/mcp`, close: () => closed(proxy) };
}

export async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
}

export function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

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
  const main = inRoot('node_modules/@modelcontextprotocol/conformance/dist/index.js');
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
