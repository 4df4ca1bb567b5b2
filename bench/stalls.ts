import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { option, print } from './support/product.ts';

/**
 * For how long one large call keeps a single process on SQLite from following links: the slowest redirect meanwhile, and
 * the longest time in which the event loop answered nobody, in milliseconds. Another checkout of the product can be measured
 * beside this one, in turns.
 *
 *   npm run bench -- stalls [beside=/path/to/another/checkout] [rounds=3]
 */
const rounds = Number(option('rounds', '3'));
const besides = option('beside', '');
const PORT = 7519;
const RULES = 50;
const LINKS = 1000;

interface Running {
  child: ChildProcess;
  key: string;
  folder: string;
  heard: string[];
}

type Call = (method: string, below: string, body?: unknown) => Promise<string>;
type Stalls = Record<string, { redirectMs: number[]; loopMs: number[]; tookMs: number[] }>;

async function start(root: string, port: number): Promise<Running> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-stalls-'));
  const probe = new URL('./support/loopProbe.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import=tsx', `--import=${probe}`, 'app/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_ROWS_PER_MINUTE: '100000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const heard: string[] = [];
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    heard.push(...text.split('\n').slice(0, -1));
    text = text.slice(text.lastIndexOf('\n') + 1);
  });
  while (!heard.some((line) => line.includes('"ready"'))) {
    if (child.exitCode !== null) throw new Error(`The product ended:\n${heard.join('\n')}`);
    await pause(50);
  }
  const shown = await readFile(path.join(folder, 'first-account'), 'utf8').catch(() => heard.join('\n'));
  const key = /sk_live_[\w-]+/.exec(shown)?.[0] ?? '';
  return { child, key, folder, heard };
}

async function loopMs({ child, heard }: Running): Promise<number> {
  const before = heard.length;
  child.kill('SIGUSR2');
  for (;;) {
    const said = heard.slice(before).find((line) => line.startsWith('{"loopMs"'));
    if (said) return JSON.parse(said).loopMs;
    await pause(5);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(root: string, port: number, stalls: Stalls): Promise<void> {
  const product = await start(root, port);
  const origin = `http://127.0.0.1:${port}`;
  const call: Call = async (method, below, body) => {
    const response = await fetch(`${origin}/api/v1${below}`, {
      method,
      headers: {
        Authorization: `Bearer ${product.key}`,
        ...(body ? { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() } : {}),
      },
      ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${below}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
  try {
    const { short_url } = JSON.parse(await call('POST', '/links', { destination: 'https://www.example.com/' }));
    const { host, pathname } = new URL(short_url);
    const prober = fork(new URL('./support/slowestRedirect.ts', import.meta.url), [`${origin}${pathname}`, host], {
      execArgv: ['--import=tsx'],
    });
    await pause(1500);
    const during = async (name: string, work: () => Promise<unknown>) => {
      await pause(1500);
      prober.send('begin');
      await loopMs(product);
      const startedAt = performance.now();
      await work();
      const tookMs = performance.now() - startedAt;
      await pause(300);
      const longest = await loopMs(product);
      const slowest = await slowestSoFar(prober);
      const row = stalls[name] ?? { redirectMs: [], loopMs: [], tookMs: [] };
      stalls[name] = row;
      row.redirectMs.push(slowest);
      row.loopMs.push(longest);
      row.tookMs.push(tookMs);
    };
    await during('nothing', () => pause(1000));
    await largeCalls(call, during);
    prober.kill();
  } finally {
    product.child.kill('SIGKILL');
    await once(product.child, 'exit');
    await rm(product.folder, { recursive: true, force: true });
  }
}

/** The calls one after the other, each with its body made before it is measured. */
async function largeCalls(call: Call, during: (name: string, work: () => Promise<unknown>) => Promise<void>) {
  const plain = JSON.stringify({ links: Array.from({ length: LINKS }, (_, at) => linkAt(at)) });
  const ruled = JSON.stringify({
    links: Array.from({ length: LINKS }, (_, at) => ({ ...linkAt(at), routing: routing(at) })),
  });
  let made = '';
  await during('bulk of 1,000', async () => {
    made = await call('POST', '/links/bulk', plain);
  });
  const ids = JSON.parse(made).results.map(({ link }: { link: { id: string } }) => link.id);
  await during(`bulk of 1,000 with ${RULES} rules`, () => call('POST', '/links/bulk', ruled));
  await during('bulk of 1,000 refused in each rule', () =>
    call('POST', '/links/bulk', ruled.replaceAll('https://www.example.com', 'javascript:x')),
  );
  await during('export of them', () => call('GET', '/links/export'));
  await during('lists of 100 of them', () => call('GET', '/links?limit=100'));
  const set = JSON.stringify({ ids, set: { title: 'Changed', tags: ['changed', 'again'] } });
  await during('bulk change', () => call('PATCH', '/links/bulk', set));
  const routed = JSON.stringify({ ids, set: { routing: routing(1) } });
  await during(`bulk change to ${RULES} rules`, () => call('PATCH', '/links/bulk', routed));
  await during('bulk delete', () => call('POST', '/links/bulk/delete', JSON.stringify({ ids })));
}

function linkAt(at: number) {
  return { destination: `https://www.example.com/${at}`, title: `Link ${at}`, tags: ['bulk'], data: { at } };
}

function routing(at: number) {
  const rules = Array.from({ length: RULES }, (_, rule) => ({
    name: `rule ${rule}`,
    when: { platform: ['ios'], country: ['DE', 'AT'] },
    destination: `https://www.example.com/${at}/rule/${rule}`,
  }));
  return { rules };
}

/** Of those since it was told to begin. */
async function slowestSoFar(prober: ChildProcess): Promise<number> {
  prober.send('say');
  const [slowest] = await once(prober, 'message');
  return slowest as number;
}

const here: Stalls = {};
const there: Stalls = {};
for (let round = 0; round < rounds; round += 1) {
  if (besides) await measure(besides, PORT, there);
  await measure(process.cwd(), PORT, here);
}
const best = (values: number[] = []) => (values.length === 0 ? '–' : Math.min(...values).toFixed(0)).padStart(6);
print(`${'best of each'.padEnd(38)} ${besides ? 'beside: redirect   loop   took │ ' : ''}here: redirect   loop   took`);
for (const name of Object.keys(here)) {
  const other = besides ? `         ${shown(there[name])} │ ` : '';
  print(`${name.padEnd(38)} ${other}       ${shown(here[name])}`);
}

function shown(row: Stalls[string] | undefined): string {
  return `${best(row?.redirectMs)} ms ${best(row?.loopMs)} ${best(row?.tookMs)}`;
}
