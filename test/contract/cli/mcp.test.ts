// stores: none
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { SVC, useShell } from '../../support/cli.ts';
import { startToolServer, type ToolServer } from '../../support/mcp/toolServer.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape that the protocol has
type Any = any;

/** The bridge between the official client and a server made with the official SDK. */
describe('svc mcp', () => {
  const shell = useShell();
  let server: ToolServer;
  const env = () => ({ ...shell.env, SVC_URL: server.origin, SVC_KEY: 'sk_live_of_the_bridge' });
  const command = (...flags: string[]) => ({ command: process.execPath, args: [SVC, 'mcp', ...flags], env: env() });

  before(async () => {
    server = await startToolServer();
  });
  after(() => server.close());

  it('carries the client of 2026-07-28, its headers and a cancelled call', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } } as Any);
    await client.connect(new StdioClientTransport(command('--read-only', '--toolsets', 'core', '--max-writes', '5')));
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['echo', 'wait']);
    const answer: Any = await client.callTool({ name: 'echo', arguments: { text: 'Grüße 春' } });
    expect(answer.content[0].text).to.equal('Grüße 春');
    const last = server.seen.at(-1);
    expect(last).to.deep.equal({
      url: '/mcp?read_only=true&toolsets=core&budget=5',
      authorization: 'Bearer sk_live_of_the_bridge',
      version: '2026-07-28',
      name: 'echo',
    });
    const stop = new AbortController();
    const waiting = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal }).catch((error) => error);
    await until(() => server.seen.at(-1)?.name === 'wait', 'the call');
    stop.abort();
    await waiting;
    await until(() => server.cancelled > 0, 'the end of the call at the server');
    await client.close();
  });

  it('answers with an error where the server is away, and ends with its input', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const { code, stdout, stderr } = await shell.svc(['mcp'], {
      env: { SVC_URL: 'http://127.0.0.1:9', SVC_KEY: 'sk_live_of_the_bridge' },
      input: `${ping}\nno json\n`,
    });
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((a, b) => a.error.code - b.error.code);
    expect(code).to.equal(0);
    expect([first.id, first.error.code]).to.deep.equal([null, -32700]);
    expect([second.id, second.error.code]).to.deep.equal([1, -32000]);
    expect(stderr).to.contain('svc mcp: ').and.not.contain('sk_live');
  });
});
