// stores: any
import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import { Server as McpServer } from '@modelcontextprotocol/server';
import { WELCOME } from '../../../app/webApp.ts';
import { createApp } from '../../../facade/app.ts';
import { mcpMounts } from '../../../facade/mcpMount.ts';
import { compileRoutes } from '../../../facade/route.ts';
import { handlerOf } from '../../../mcp/serve.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { gracefulClose } from '../../../src/net/gracefulClose.ts';
import { post } from '../../support/mcp/client.ts';
import { closed, listening, portOf } from '../../support/mcp/keyProxy.ts';
import { useWorld } from '../../support/world.ts';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('MCP: a process that stops', () => {
  const world = useWorld();
  let server: Server;
  let stopping: ReturnType<typeof gracefulClose>;
  let close: () => Promise<void>;
  /** Calls that wait until they are let go. */
  let waiting: (() => void)[];
  let hasCalled: () => void;

  /** A server with one tool, which answers when the test says so. */
  const serverOf = () => {
    const made = new McpServer({ name: 'slow', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    made.setRequestHandler('tools/call', async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        hasCalled();
      });
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return made;
  };
  const schema = buildGraphqlSchema();
  const apis = { routes: compileRoutes(schema), schema };
  beforeEach(async () => {
    waiting = [];
    const mounted = mcpMounts(apis, async () => () => handlerOf(serverOf));
    close = mounted.close;
    server = createServer(createApp({ routes: [], schema }, mounted.mounts, WELCOME).callback());
    stopping = gracefulClose(server);
    await listening(server);
  });
  afterEach(() => closed(server));

  const send = (method: string, params: object, isModern: boolean) => {
    const headers = { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': method, 'Mcp-Name': 'slow' };
    const message = { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta: META } : params };
    return post(`http://localhost:${portOf(server)}`, world.secretKey, message, isModern ? headers : {});
  };
  const called = () =>
    new Promise<void>((resolve) => {
      hasCalled = resolve;
    });

  for (const isModern of [true, false]) {
    it(`answers calls that it has and calls that still come, of ${isModern ? 'the present' : 'an older'} revision`, async () => {
      const begun = called();
      const first = send('tools/call', { name: 'slow', arguments: {} }, isModern);
      await begun;
      stopping.announce();
      await close();
      const begunToo = called();
      const second = send('tools/call', { name: 'slow', arguments: {} }, isModern);
      await begunToo;
      for (const go of waiting) go();
      for (const { status, body } of [await first, await second]) {
        assert.equal(status, 200);
        assert.equal(body.result.content[0].text, 'done');
      }
      assert.equal((await second).headers.get('connection'), 'close');
    });
  }

  it('ends streams that have no end, and begins no others', async () => {
    const listen = () => send('subscriptions/listen', { notifications: { toolsListChanged: true } }, true);
    const open = await fetch(`http://localhost:${portOf(server)}/mcp`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${world.secretKey}`, 'Content-Type': 'application/json' },
        ...{ Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'subscriptions/listen' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
        params: { notifications: { toolsListChanged: true }, _meta: META },
      }),
    });
    assert.equal(open.status, 200);
    await close();
    await open.text();
    const late = await listen();
    assert.equal(late.status, 503);
    assert.equal(late.headers.get('retry-after'), '1');
  });

  it('begins no stream where the protocol is loaded during the stop', async () => {
    await close();
    assert.equal((await send('subscriptions/listen', { notifications: {} }, true)).status, 503);
  });
});
