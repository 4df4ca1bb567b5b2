import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { option, type Product, print, startProduct } from './support/product.ts';

/**
 * Tools for assistants beside the same calls of the REST API, in one run against one process; the load comes from another.
 *
 *   npm run bench -- mcp [seconds=5] [connections=8] [store=sqlite|postgres]
 */
const seconds = Number(option('seconds', '5'));
const connections = Number(option('connections', '8'));
const PORT = 3889;
const product = await startProduct(option('store', 'sqlite'), {
  port: PORT,
  database: 'svc_bench_mcp',
  env: { MCP_WRITES_PER_HOUR: '1000000000' },
});
try {
  await measure(product);
} finally {
  await product.stop();
}

async function measure({ key, call, child }: Product): Promise<void> {
  const link = await call('POST', '/links', { destination: 'https://www.example.com/', tags: ['bench'] });
  const [first, cpu] = [performance.now(), await cpuMs(child.pid as number)];
  await fetch(`http://127.0.0.1:${PORT}/mcp`, {
    method: 'POST',
    headers: headersOf(key, 'tools/list'),
    body: messageOf('tools/list', {}),
  });
  const spent = (await cpuMs(child.pid as number)) - cpu;
  print(`first request: ${Math.round(performance.now() - first)} ms, ${spent} ms CPU`);
  await compare('GET link', product, {
    rest: { path: `/links/${link.id}` },
    tool: 'get_link',
    args: { link: link.id },
  });
  await compare('list of 10', product, { rest: { path: '/links?limit=10' }, tool: 'find_links', args: {} });
  const body = { destination: 'https://www.example.com/' };
  await compare('POST link', product, {
    rest: { path: '/links', body },
    tool: 'create_links',
    args: { links: [body] },
  });
  for (const [name, parallel] of [
    ['tools/list, alone', 1],
    ['tools/list', connections],
  ] as const) {
    const listing = () => load('/mcp', headersOf(key, 'tools/list'), messageOf('tools/list', {}), parallel);
    const [{ perSecond, p97 }, cpu] = await spending(child, listing);
    print(`${name}: ${Math.round(perSecond)}/s, p97.5 ${p97} ms, ${cpu} ms CPU each`);
  }
}

/** What a load gave, and the CPU time of the product for each request in milliseconds. */
async function spending(child: Product['child'], work: () => ReturnType<typeof load>) {
  const before = await cpuMs(child.pid as number);
  const result = await work();
  return [result, (((await cpuMs(child.pid as number)) - before) / result.count).toFixed(2)] as const;
}

interface Same {
  rest: { path: string; body?: object };
  tool: string;
  args: object;
}

async function compare(name: string, { key, child }: Product, { rest, tool, args }: Same): Promise<void> {
  const path = `/api/v1${rest.path}`;
  const plain = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = rest.body && JSON.stringify(rest.body);
  const params = { name: tool, arguments: args };
  const asTool = () => load('/mcp', headersOf(key, 'tools/call', tool), messageOf('tools/call', params));
  await asTool();
  const [ours, ourCpu] = await spending(child, asTool);
  const [limit, itsCpu] = await spending(child, () => load(path, plain, body));
  const ratio = (ours.perSecond / limit.perSecond).toFixed(2);
  print(
    `${name}: ${tool} ${Math.round(ours.perSecond)}/s, REST ${Math.round(limit.perSecond)}/s, ratio ${ratio}; CPU ${ourCpu} and ${itsCpu} ms each`,
  );
}

function headersOf(key: string, method: string, name?: string): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name ? { 'Mcp-Name': name } : {}),
  };
}

function messageOf(method: string, params: object): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
}

async function load(path: string, headers: Record<string, string>, body: string | undefined, parallel = connections) {
  const result = await autocannon({
    url: `http://127.0.0.1:${PORT}${path}`,
    method: body ? 'POST' : 'GET',
    headers,
    ...(body ? { body } : {}),
    connections: parallel,
    duration: seconds,
    workers: 1,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  return { perSecond: result.requests.average, p97: result.latency.p97_5, count: result.requests.total };
}

/** What a process has spent so far, as Linux counts it: in hundredths of a second. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
