// stores: any
import { strict as assert } from 'node:assert';
import { type Assistant, type ConnectOptions, connect, post } from '../../support/mcp/client.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const RECEIVER = 'http://127.0.0.1:65533/hook';

describe('MCP: what assistants are offered', () => {
  const world = useWorld();
  const open: Assistant[] = [];
  const assistant = async (options?: ConnectOptions, key?: string) => {
    const made = await connect(world.origin, key ?? world.secretKey, options);
    open.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });
  const textOf = async (made: Assistant, name: string, args: object): Promise<string> =>
    (await made.call(name, args)).content[0].text;
  const write = (operation: string, args: object = {}) => ({ operation, arguments: args });

  it('makes webhooks, shows secrets and makes keys once a person agrees, and marks what is secret', async () => {
    const { ask, call, questions } = await assistant({ person: 'accepts' });
    const made = await ask('write_api', write('webhooks.create', { url: RECEIVER }));
    assert.match(
      questions[0] ?? '',
      /shows a secret to the assistant; sends events to http:\/\/127\.0\.0\.1:65533\/hook/,
    );
    const { id } = made.result;
    const rolled = await ask('write_api', write('createKey', { name: 'Made', scopes: ['links:read'] }));
    for (const { secrets, secret_notice, result } of [
      made,
      await ask('write_api', write('getWebhookSecret', { id })),
      await ask('write_api', write('rotateWebhookSecret', { id })),
    ]) {
      assert.deepEqual(secrets, ['result.secret']);
      assert.match(secret_notice, /Do not repeat it/);
      assert.match(result.secret, /^whsec_/);
    }
    assert.deepEqual(rolled.secrets, ['result.key']);
    const again = await ask('write_api', write('rollKey', { id: rolled.result.id }));
    assert.match(again.result.key, /^sk_live_/);
    assert.equal((await world.api.as(again.result.key)('GET', '/links')).status, 200);
    assert.match(
      (await call('read_api', write('getWebhookSecret', { id }))).content[0].text,
      /is called with write_api/,
    );
    const dry = await ask('write_api', { ...write('createWebhook', { url: RECEIVER }), dry_run: true });
    assert.equal(dry.secrets, undefined);
  });

  it('shows a secret once for each confirmation', async () => {
    const { ask } = await assistant();
    const args = write('createKey', { name: 'Once', scopes: ['links:read'] });
    const { needs_confirmation, confirm, would } = await ask('write_api', args);
    assert.equal(needs_confirmation, true);
    assert.doesNotMatch(would, /sk_live_/);
    assert.match((await ask('write_api', { ...args, confirm })).result.key, /^sk_live_/);
    assert.match(await textOf(await assistant(), 'write_api', { ...args, confirm }), /was used already/);
  });

  it('makes no key with more scopes than its own, and asks nobody about it', async () => {
    const { body } = await world.api('POST', '/keys', { name: 'Few', scopes: ['keys:write', 'keys:read'] });
    const few = await assistant({ person: 'accepts' }, body.key);
    for (const args of [{ name: 'More' }, { name: 'More', scopes: ['links:write'] }])
      assert.match(await textOf(few, 'write_api', write('createKey', args)), /^insufficient_scope/);
    const { data } = (await world.api('GET', '/keys?limit=50')).body;
    const { id } = data.find(({ scopes }: { scopes: string[] }) => scopes.includes('links:write'));
    assert.match(await textOf(few, 'write_api', write('rollKey', { id })), /^insufficient_scope/);
    assert.deepEqual(few.questions, []);
  });

  it('imports a file that is an argument, and reads what became of it and exports', async () => {
    const { ask, call, questions } = await assistant({ person: 'accepts' });
    const csv =
      'destination,slug,title\nhttps://example.com/1,imp-1,"a\nb"\nhttps://example.com/2,imp-2,c\nnot a url,imp-3,\n';
    const dry = await ask('write_api', { ...write('startImport', { csv }), dry_run: true });
    assert.equal(dry.result.dry_run, true);
    assert.deepEqual(questions, []);
    const before = (await ask('get_context')).write_budget.remaining;
    const { result } = await ask('write_api', write('startImport', { csv }));
    assert.match(questions[0] ?? '', /"csv":"3 rows"/);
    const { id } = result;
    await until(
      async () => (await world.api('GET', `/imports/${id}`)).body.status === 'finished',
      'the import to finish',
    );
    assert.equal(before - (await ask('get_context')).write_budget.remaining, 3);
    const errors = await ask('read_api', write('listImportErrors', { id }));
    assert.equal(errors.lines.length, 2);
    const rows = await ask('read_api', write('imports.rows', { id }));
    assert.ok(rows.lines.some((line: string) => line.includes('created')));
    const exported = await ask('read_api', write('links.export', { search: 'imp-', format: 'ndjson' }));
    assert.deepEqual(exported.lines.map(({ slug }: { slug: string }) => slug).sort(), ['imp-1', 'imp-2']);
    assert.match((await ask('read_api', write('exportLinks'))).lines[0], /^id,domain,slug/);
    for (const [wrong, code] of [
      [{}, 'validation_failed'],
      [{ csv: 7 }, 'validation_failed'],
      [{ csv: 'x'.repeat(256 * 1024 + 1) }, 'payload_too_large'],
    ] as const)
      assert.ok((await call('write_api', write('startImport', wrong))).content[0].text.startsWith(code), code);
  });

  it('says of what is not offered who does it where, and finds it by search', async () => {
    const { ask, call } = await assistant();
    for (const [name, pattern] of [
      ['getLinkQr', /the tool get_qr_code, or a person does it at \S+\/app\/links or with svc links qr/],
      ['streamEvents', /list_events, or a person does it at \S+\/app\/webhooks\/events or with svc events stream/],
      ['recordOpen', /called by apps/],
    ] as const)
      assert.match((await call('read_api', { operation: name })).content[0].text, pattern);
    const found = async (query: string) => (await ask('search_api', { query })).operations;
    for (const [query, operation] of [
      ['create a webhook', 'createWebhook'],
      ['rotate secret', 'rotateWebhookSecret'],
      ['import csv', 'startImport'],
      ['create an api key', 'createKey'],
    ]) {
      const [first] = await found(query as string);
      assert.deepEqual([first.operation, first.tool], [operation, 'write_api']);
    }
    assert.equal((await found('createKey'))[0].confirmed, 'always');
    assert.equal((await found('startImport'))[0].arguments.csv.type, 'string');
    assert.equal((await found('stream events'))[0].not_offered.command, 'svc events stream');
  });

  it('refuses names that operations do not have, also such as objects inherit', async () => {
    for (const given of [
      '{"__proto__": {"destination": "https://example.com"}}',
      '{"constructor": 1}',
      '{"sulg": "a"}',
    ]) {
      const params = `{"name": "write_api", "arguments": {"operation": "createLink", "arguments": ${given}}}`;
      const { body } = await post(
        world.origin,
        world.secretKey,
        `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params}}`,
      );
      assert.match(
        body.result.content[0].text,
        /^validation_failed: .*\n {2}arguments\.\w+: Is not a known argument\./,
      );
    }
  });

  it('takes the four names of a link in every argument that names one', async () => {
    const { ask, call, client } = await assistant();
    const destination = 'https://example.com/named';
    const { body: link } = await world.api('POST', '/links', { destination, external_id: 'crm/7', tags: ['named'] });
    const names = [link.id, 'ext_crm/7', link.short_url, link.short_url.replace(/^https?:\/\//, '')];
    for (const name of names) {
      const one = { ids: [name], dry_run: true };
      assert.equal((await ask('update_links', { ...one, set: { title: name } })).counts.updated, 1, name);
      assert.equal((await ask('archive_links', one)).counts.updated, 1, name);
      assert.equal((await ask('delete_links', one)).counts.deleted, 1, name);
      assert.equal((await ask('trace_link', { link: name })).outcome.destination, destination, name);
      assert.ok((await ask('query_analytics', { filters: { link: `-${name}` } })).total, name);
      assert.ok((await ask('list_installs', { link_id: name })).data, name);
      assert.ok((await ask('list_events', { link_id: name })).data, name);
      assert.equal((await ask('read_api', write('getLink', { id: name }))).id, link.id, name);
      const bulk = write('bulkUpsertLinks', { links: [{ id: name, external_id: 'crm/7', title: 'x' }] });
      assert.equal((await ask('write_api', { ...bulk, dry_run: true })).result.counts.updated, 1, name);
      const hook = write('createWebhook', { url: RECEIVER, scope: { link_id: name } });
      assert.equal((await ask('write_api', { ...hook, dry_run: true })).result.scope.link_id, link.id, name);
      const { contents } = await client.readResource({ uri: `link://${name}` });
      assert.ok((contents[0] as { text: string }).text.includes(link.id), name);
    }
    const unknown = 'go.example.com/nobody';
    assert.match((await call('list_events', { link_id: unknown })).content[0].text, /^not_found/);
  });

  it('asks nobody about a deletion of which nothing would succeed', async () => {
    const { call, questions } = await assistant({ person: 'accepts' });
    const { content } = await call('delete_links', { ids: ['go.example.com/nobody', 'lnk_nobody'] });
    assert.match(content[0].text, /^not_found: 2 of 2 failed/);
    assert.deepEqual(questions, []);
  });

  it('confirms where events go and what stops links, by every way, and not destinations', async () => {
    const { body: hook } = await world.api('POST', '/webhooks', { url: RECEIVER });
    const { body: link } = await world.api('POST', '/links', {
      destination: 'https://example.com/s',
      external_id: 's1',
    });
    const alone = await assistant({ query: '?confirm=person' });
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    const evil = { url: 'http://127.0.0.1:65533/EVIL' };
    const document = `version: 1\nstack: evil\nwebhooks: { exfil: { url: ${evil.url} } }\n`;
    const { plan } = await alone.ask('plan_changes', { document });
    for (const [tool, args] of [
      ['update_links', { ids: [link.id], set: past }],
      ['write_api', write('updateLink', { id: link.id, ...past })],
      ['write_api', write('upsertLink', { external_id: 's1', ...past })],
      ['write_api', write('bulkUpsertLinks', { links: [{ external_id: 's1', ...past }] })],
      ['write_api', write('bulkUpdateLinks', { ids: [link.id], set: { starts_at: '2099-01-01T00:00:00Z' } })],
      ['write_api', write('startImport', { csv: 'destination\nhttps://example.com\n', on_conflict: 'update' })],
      ['write_api', write('updateWebhook', { id: hook.id, ...evil })],
      ['write_api', write('createWebhook', evil)],
      ['apply_plan', { document, plan }],
    ] as const)
      assert.match(await textOf(alone, tool, args), /^confirmation_needed/, `${tool} ${JSON.stringify(args)}`);
    assert.equal((await world.api('GET', `/links/${link.id}`)).body.status, 'active');
    const moved = { destination: 'https://example.com/moved', slug: link.slug };
    await alone.ask('write_api', write('upsertLink', { external_id: 's1', ...moved }));
    await alone.ask(
      'write_api',
      write('upsertLink', { external_id: 's2', ...moved, slug: 'offered-later', starts_at: '2099-01-01T00:00:00Z' }),
    );
    await alone.ask('write_api', write('updateWebhook', { id: hook.id, description: 'Ours' }));
  });

  it('narrows resources, prompts and completions by the URL', async () => {
    const { body: hook } = await world.api('POST', '/webhooks', { url: RECEIVER });
    const { body: link } = await world.api('POST', '/links', {
      destination: 'https://example.com/n',
      slug: 'narrowed',
    });
    const { client } = await assistant({ query: '?toolsets=code' });
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    assert.ok(uris.length > 0 && uris.every((uri) => uri.startsWith('svc://docs/')));
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name);
    assert.deepEqual(templates, ['docs', 'operation']);
    for (const uri of [
      'svc://project',
      `svc://webhooks/${hook.id}/deliveries`,
      `link://${link.domain}/narrowed`,
      `link://${link.id}`,
    ])
      await assert.rejects(client.readResource({ uri }), (error: { code: number }) => error.code === -32602, uri);
    assert.deepEqual(
      (await client.listPrompts()).prompts.map(({ name }) => name),
      ['links_as_code'],
    );
    await assert.rejects(client.getPrompt({ name: 'webhook_trouble', arguments: { webhook: 'x' } }));
    const ref = { type: 'ref/resource' as const, uri: 'link://{domain}/{+slug}' };
    const complete = async (made: Assistant['client'], name: string) =>
      (await made.complete({ ref, argument: { name, value: '' } })).completion.values.length;
    const whole = await assistant();
    for (const name of ['domain', 'slug'])
      assert.deepEqual([await complete(client, name), (await complete(whole.client, name)) > 0], [0, true], name);
  });
});
