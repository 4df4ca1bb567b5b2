// stores: any
import { strict as assert } from 'node:assert';
import { connect, post } from '../../support/mcp/client.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { useWorld } from '../../support/world.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('MCP: requests', () => {
  const world = useWorld();
  const code = (reply: Awaited<ReturnType<typeof post>>) => {
    assert.equal(reply.body.jsonrpc, '2.0');
    assert.equal(reply.body.id, null);
    return reply.body.error.data.code;
  };

  it('refuses whoever has no key, or another one', async () => {
    const none = await post(world.origin, null, PING);
    assert.equal(none.status, 401);
    assert.equal(none.headers.get('www-authenticate'), 'Bearer realm="svc"');
    assert.equal(code(none), 'missing_key');
    const bad = await post(world.origin, 'sk_live_of_nobody', PING);
    assert.equal(bad.status, 401);
    assert.equal(bad.headers.get('www-authenticate'), 'Bearer realm="svc", error="invalid_token"');
    assert.equal(code(bad), 'invalid_key');
    const published = await post(world.origin, world.publishableKey, PING);
    assert.equal(published.status, 403);
    assert.equal(code(published), 'publishable_key_refused');
    for (const reply of [none, bad, published]) assert.ok(!/sk_live_of|pk_live_[A-Za-z0-9]/.test(reply.text));
  });

  it('takes POST alone, one MiB, no page of others, and gives no CORS', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${world.origin}/mcp`, {
        method,
        headers: { Authorization: `Bearer ${world.secretKey}` },
      });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'POST');
    }
    const large = await post(world.origin, world.secretKey, { ...PING, params: { filler: 'x'.repeat(1024 * 1024) } });
    assert.equal(large.status, 413);
    assert.equal(code(large), 'payload_too_large');
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
      const foreign = await post(world.origin, world.secretKey, PING, { Origin: origin });
      assert.equal(foreign.status, 403, origin);
      assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    }
    assert.equal((await post(world.origin, world.secretKey, PING, { Origin: world.origin })).status, 200);
    const elsewhere = await fetch(`${world.origin}/mcp/other`, { method: 'POST', body: '{}' });
    assert.equal(elsewhere.status, 404);
  });

  it('refuses batches of messages, whatever the version says, so that each message counts', async () => {
    for (const batch of [[PING], [PING, PING], [], ` \n${JSON.stringify([PING])}`]) {
      const reply = await post(world.origin, world.secretKey, batch, { 'MCP-Protocol-Version': '2025-03-26' });
      assert.equal(reply.status, 400);
      assert.equal(reply.body.error.code, -32600);
      assert.equal(code(reply), 'invalid_request');
    }
  });

  it('refuses arguments that are too large, or have names of the language, with a code', async () => {
    const call = async (name: string, args: string) => {
      const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
      const { status, body } = await post(world.origin, world.secretKey, text);
      assert.equal(status, 200);
      return body.result.structuredContent.error as { code: string; fields: { path: string; message: string }[] };
    };
    const long = JSON.stringify('x y'.repeat(1000));
    const bad: [string, string, string][] = [
      ['get_docs', `{"topic": ${long}}`, 'topic'],
      ['search_api', `{"query": ${long}}`, 'query'],
      ['get_link', `{"link": "${'x'.repeat(20_000)}"}`, 'link'],
      ['update_links', `{"ids": [${'1,'.repeat(5000)}1], "set": {}}`, 'ids'],
      [
        'write_api',
        '{"operation": "createLink", "arguments": {"__proto__": {"destination": "https://a.example/"}}}',
        'arguments.__proto__',
      ],
      ['read_api', '{"operation": "listLinks", "arguments": {"__proto__": "x"}}', 'arguments.__proto__'],
      ['get_context', '{"__proto__": {"a": 1}}', '__proto__'],
      ['find_links', '{"__proto__": "x", "search": "a"}', '__proto__'],
      ['create_links', '{"__proto__": null, "links": [{"destination": "https://a.example/"}]}', '__proto__'],
      ['create_links', '{"links": [{"destination": "https://a.example/", "__proto__": {}}]}', '__proto__'],
    ];
    for (const [tool, args, path] of bad) {
      const { code: refused, fields } = await call(tool, args);
      assert.equal(refused, 'validation_failed', tool);
      assert.ok(
        fields.some((field) => field.path === path),
        `${tool}: ${JSON.stringify(fields).slice(0, 300)}`,
      );
      assert.ok(fields.length <= 20);
    }
  });

  it('answers on no other host', async () => {
    const { status, body } = await rawRequest(world.origin, '/mcp', {
      method: 'POST',
      host: 'evil.example',
      headers: {
        Authorization: `Bearer ${world.secretKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(PING),
    });
    assert.ok(status === 404 || status === 421, `${status}`);
    assert.ok(!body.includes('find_links'));
  });

  it('refuses a URL that it does not understand, so that a typing error widens nothing', async () => {
    const response = await fetch(`${world.origin}/mcp?readonly=true`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.secretKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(PING),
    });
    assert.equal(response.status, 400);
    assert.match(
      ((await response.json()) as { error: { message: string } }).error.message,
      /Known: read_only, toolsets, budget, confirm/,
    );
  });

  it('takes with 202 and without a body whatever is not a request', async () => {
    for (const message of [
      { method: 'notifications/initialized' },
      { method: 'notifications/cancelled', params: { requestId: 7 } },
      { id: 7, result: {} },
      { id: 7, error: { code: -1, message: 'No.' } },
    ]) {
      const { status, text, headers } = await post(world.origin, world.secretKey, { jsonrpc: '2.0', ...message });
      assert.deepEqual([status, text, headers.get('content-type')], [202, '', null], JSON.stringify(message));
    }
  });

  it('offers its newest revision to clients that are newer, and refuses one of which nothing is known', async () => {
    const initialize = (protocolVersion: unknown, headers = {}) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
      return post(world.origin, world.secretKey, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
    };
    for (const [asked, answered] of [
      ['2025-06-18', '2025-06-18'],
      ['2099-01-01', '2025-11-25'],
    ]) {
      const { status, body } = await initialize(asked);
      assert.deepEqual([status, body.result.protocolVersion], [200, answered]);
    }
    const unknown = { 'MCP-Protocol-Version': '1999-01-01' };
    for (const reply of [
      await initialize('1999-01-01'),
      await initialize('1.0.0'),
      await initialize(5),
      await initialize(undefined),
      await initialize('2025-06-18', unknown),
    ]) {
      assert.deepEqual([reply.status, reply.body.id, reply.body.error.code], [400, 1, -32602]);
      assert.ok(reply.body.error.data.supported.includes('2025-11-25'));
    }
    assert.equal((await post(world.origin, world.secretKey, PING, unknown)).status, 400);
  });

  it('says in the words of the protocol what is no message', async () => {
    const broken = await post(world.origin, world.secretKey, '{"jsonrpc": ');
    assert.equal(broken.status, 400);
    assert.equal(broken.body.error.code, -32700);
    const deep = await post(world.origin, world.secretKey, `{"a":${'['.repeat(100)}${']'.repeat(100)}}`);
    assert.equal(deep.status, 400);
  });

  it('shows each key the tools that its scopes allow, and no others', async () => {
    const { body: reader } = await world.api('POST', '/keys', {
      name: 'Reader',
      kind: 'secret',
      scopes: ['links:read'],
    });
    const all = await connect(world.origin, world.secretKey);
    const few = await connect(world.origin, reader.key);
    const names = async ({ client }: typeof all) => (await client.listTools()).tools.map(({ name }) => name);
    const [allNames, fewNames] = [await names(all), await names(few)];
    assert.equal(allNames.length, 27);
    assert.deepEqual(fewNames, [
      'get_context',
      'get_docs',
      'find_links',
      'get_link',
      'trace_link',
      'get_qr_code',
      'search_api',
      'read_api',
      'plan_changes',
    ]);
    const listed = (await all.client.listTools()) as { ttlMs?: number; cacheScope?: string };
    assert.equal(listed.ttlMs, 300_000);
    assert.equal(listed.cacheScope, 'private');
    const { content, isError } = await few.call('create_links', { links: [{ destination: 'https://example.com' }] });
    assert.equal(isError, true);
    assert.match(content[0].text, /^insufficient_scope: This needs the scope links:write/);
    await Promise.all([all.close(), few.close()]);
  });

  it('has resources, prompts and completions', async () => {
    const assistant = await connect(world.origin, world.secretKey);
    const { client } = assistant;
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === 'svc://project'));
    for (const { uri } of resources) {
      const read = (await client.readResource({ uri })) as { contents: { text?: string }[]; cacheScope?: string };
      assert.ok(read.contents[0]?.text, uri);
      assert.equal(read.cacheScope, uri.startsWith('svc://docs/') ? 'public' : 'private', uri);
    }
    const {
      links: [link],
    } = await assistant.ask('create_links', { links: [{ destination: 'https://example.com/r', slug: 'res/one' }] });
    const place = link.short_url.replace(/^https?:\/\//, '');
    const { contents } = await client.readResource({ uri: `link://${place}` });
    assert.match((contents[0] as { text: string }).text, /example\.com\/r/);
    assert.match(
      ((await client.readResource({ uri: 'svc://openapi/createLink' })).contents[0] as { text: string }).text,
      /destination/,
    );
    for (const uri of [
      'svc://nothing',
      'svc://docs/nothing',
      `link://${place}x`,
      'svc://webhooks/wh_x/deliveries',
      'svc://openapi/nothing',
    ]) {
      await assert.rejects(client.readResource({ uri }), (error: { code: number }) => error.code === -32602, uri);
    }
    const { prompts } = await client.listPrompts();
    for (const { name, description, arguments: args = [] } of prompts) {
      assert.ok(description);
      const given = Object.fromEntries(args.map((argument) => [argument.name, 'something']));
      assert.ok((await client.getPrompt({ name, arguments: given })).messages.length > 0);
      if (args.some(({ required }) => required)) await assert.rejects(client.getPrompt({ name, arguments: {} }));
    }
    const complete = async (name: string, value: string) =>
      (
        await client.complete({
          ref: { type: 'ref/resource', uri: 'link://{domain}/{+slug}' },
          argument: { name, value },
        })
      ).completion.values;
    assert.deepEqual(await complete('slug', 'res/'), ['res/one']);
    assert.ok((await complete('domain', '')).length > 0);
    assert.deepEqual(await complete('page', 'rout'), ['routing']);
    assert.deepEqual(await complete('nothing', ''), []);
    await assistant.close();
  });
});
