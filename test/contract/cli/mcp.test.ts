// stores: none

import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { expect } from 'chai';
import { SVC, useShell } from '../../support/cli.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape that the protocol has
type Any = any;

/** The bridge between official clients of both eras and a server made with the official SDK. */
describe('svc mcp', () => {
  const shell = useShell();
  const seen: { url: string; authorization: string; version: string; name: string }[] = [];
  let cancelled = 0;
  let server: HttpServer;
  const env = () => ({
    ...shell.env,
    SVC_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SVC_KEY: 'sk_live_of_the_bridge',
  });
  const command = (...flags: string[]) => ({ command: process.execPath, args: [SVC, 'mcp', ...flags], env: env() });

  before(async () => {
    const handler = createMcpHandler(() => serverOfTools(), { legacy: 'stateless', responseMode: 'auto' } as Any);
    server = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { headers } = incoming;
      seen.push({
        url: incoming.url ?? '',
        authorization: headers.authorization ?? '',
        version: String(headers['mcp-protocol-version'] ?? ''),
        name: String(headers['mcp-name'] ?? ''),
      });
      const gone = new AbortController();
      outgoing.on('close', () => gone.abort());
      const response = await handler.fetch(
        new Request(`http://127.0.0.1${incoming.url}`, {
          method: 'POST',
          headers: headers as Record<string, string>,
          body: Buffer.concat(chunks),
          signal: gone.signal,
        }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const bytes of response.body ?? []) outgoing.write(bytes);
      outgoing.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('carries the client of 2026-07-28, its headers and a cancelled call', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } } as Any);
    await client.connect(new StdioClientTransport(command('--read-only', '--toolsets', 'core', '--max-writes', '5')));
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['echo', 'wait']);
    const answer: Any = await client.callTool({ name: 'echo', arguments: { text: 'Grüße 春' } });
    expect(answer.content[0].text).to.equal('Grüße 春');
    const last = seen.at(-1);
    expect(last).to.deep.equal({
      url: '/mcp?read_only=true&toolsets=core&budget=5',
      authorization: 'Bearer sk_live_of_the_bridge',
      version: '2026-07-28',
      name: 'echo',
    });
    const stop = new AbortController();
    const waiting = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal }).catch((error) => error);
    await until(() => seen.at(-1)?.name === 'wait', 'the call');
    stop.abort();
    await waiting;
    await until(() => cancelled > 0, 'the end of the call at the server');
    await client.close();
  });

  it('carries the client of the earlier revisions', async () => {
    const client = new EarlierClient({ name: 'test', version: '1.0.0' });
    await client.connect(new EarlierTransport(command()));
    const answer: Any = await client.callTool({ name: 'echo', arguments: { text: 'then' } });
    expect(answer.content[0].text).to.equal('then');
    expect(seen.at(-1)).to.include({ url: '/mcp', name: '' });
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

  function serverOfTools(): Server {
    const made = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
    const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' } } };
    made.setRequestHandler(
      'tools/list',
      async () =>
        ({
          tools: [
            { name: 'echo', inputSchema },
            { name: 'wait', inputSchema },
          ],
        }) as Any,
    );
    made.setRequestHandler('tools/call', async ({ params }: Any, { mcpReq }: Any) => {
      if (params.name === 'echo') return { content: [{ type: 'text', text: params.arguments.text }] } as Any;
      return new Promise((_, reject) => {
        mcpReq.signal.addEventListener('abort', () => {
          cancelled += 1;
          reject(new Error('cancelled'));
        });
      });
    });
    return made;
  }
});
