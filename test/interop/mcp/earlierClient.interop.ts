// stores: any
import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SVC, useShell } from '../../support/cli.ts';
import { startToolServer } from '../../support/mcp/toolServer.ts';
import { useWorld } from '../../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape that the protocol has
type Any = any;

describe('the official client of the earlier revisions', () => {
  const world = useWorld();
  const shell = useShell();

  it('is served by the product, without sessions', async () => {
    const client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
    const requestInit = { headers: { Authorization: `Bearer ${world.secretKey}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${world.origin}/mcp`), { requestInit });
    await client.connect(transport as Any);
    assert.equal(client.getServerVersion()?.name, 'svc');
    assert.equal((await client.listTools()).tools.length, 27);
    const made = await client.callTool({
      name: 'create_links',
      arguments: { links: [{ destination: 'https://example.com/old' }] },
    });
    const [{ id }] = (made.structuredContent as { links: [{ id: string }] }).links;
    const asked = await client.callTool({ name: 'delete_links', arguments: { ids: [id] } });
    const { needs_confirmation, confirm } = asked.structuredContent as { needs_confirmation: boolean; confirm: string };
    assert.equal(needs_confirmation, true);
    const done = await client.callTool({ name: 'delete_links', arguments: { ids: [id], confirm } });
    assert.deepEqual((done.structuredContent as { counts: object }).counts, { deleted: 1, failed: 0 });
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /-32602|no tool/);
    await client.close();
  });

  it('is carried by svc mcp', async () => {
    const server = await startToolServer();
    const env = { ...shell.env, SVC_URL: server.origin, SVC_KEY: 'sk_live_of_the_bridge' };
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [SVC, 'mcp'], env }));
    const answer: Any = await client.callTool({ name: 'echo', arguments: { text: 'then' } });
    assert.equal(answer.content[0].text, 'then');
    const { url, name } = server.seen.at(-1) ?? {};
    assert.deepEqual([url, name], ['/mcp', '']);
    await client.close();
    server.close();
  });
});
