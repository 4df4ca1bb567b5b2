// stores: any
import { strict as assert } from 'node:assert';
import { metrics } from '../../../src/kernel/metrics.ts';
import { type Assistant, type ConnectOptions, connect, post } from '../../support/mcp/client.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

describe('MCP: confirmation and budget', () => {
  const world = useOwnWorld({ MCP_WRITES_PER_HOUR: '60', MCP_CONFIRM_ABOVE: '5' });
  const open: Assistant[] = [];
  const assistant = async (options?: ConnectOptions, key?: string) => {
    const made = await connect(world.origin, key ?? world.secretKey, options);
    open.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });
  let made = 0;
  /** By REST, which costs nothing of the budget. */
  const links = async (count: number): Promise<string[]> => {
    const sent = Array.from({ length: count }, () => ({ destination: `https://example.com/${++made}` }));
    const { body } = await world.api('POST', '/links/bulk', { links: sent });
    return body.results.map(({ link }: { link: { id: string } }) => link.id);
  };
  const exists = async (id: string) => (await world.api('GET', `/links/${id}`)).status === 200;
  /** One message of the present revision, as a client sends it that keeps to no rules. */
  const raw = async (name: string, args: object, more: object = {}, key = world.secretKey) => {
    const params = { name, arguments: args, _meta: META, ...more };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name };
    return (await post(world.origin, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).body;
  };
  const yes = { confirmation: { action: 'accept', content: { confirm: true } } };

  it('asks the person, and does it when they agree', async () => {
    const [id] = (await links(1)) as [string];
    const { ask, questions } = await assistant({ person: 'accepts' });
    assert.deepEqual((await ask('delete_links', { ids: [id] })).counts, { deleted: 1, failed: 0 });
    assert.deepEqual(questions, [`Delete 1 link: ${id} for good?`]);
    assert.equal(await exists(id), false);
  });

  it('does nothing when they decline', async () => {
    for (const person of ['declines', 'cancels'] as const) {
      const [id] = (await links(1)) as [string];
      const { call } = await assistant({ person });
      const { isError, content } = await call('archive_links', { ids: [id] });
      assert.equal(isError, true);
      assert.match(content[0].text, /^declined: .*\n.*Do not ask again/);
      assert.equal((await world.api('GET', `/links/${id}`)).body.status, 'active');
    }
  });

  it('gives a code where nobody can be asked, for exactly this call of this key, and once for a deletion', async () => {
    const [id, other] = (await links(2)) as [string, string];
    const { ask, call } = await assistant();
    const asked = await ask('delete_links', { ids: [id] });
    assert.equal(asked.needs_confirmation, true);
    assert.deepEqual(asked.counts, { deleted: 1, failed: 0 });
    assert.equal(await exists(id), true);
    const { confirm } = asked;
    for (const [tool, args] of [
      ['delete_links', { ids: [other], confirm }],
      ['archive_links', { ids: [id], confirm }],
      ['delete_links', { ids: [id], confirm: `${confirm.slice(0, -1)}${confirm.endsWith('A') ? 'B' : 'A'}` }],
    ] as const) {
      assert.match((await call(tool, args)).content[0].text, /^confirmation_invalid/);
    }
    const { body: key } = await world.api('POST', '/keys', { name: 'Other', kind: 'secret', scopes: ['*'] });
    const foreign = await assistant({}, key.key);
    assert.match((await foreign.call('delete_links', { ids: [id], confirm })).content[0].text, /^confirmation_invalid/);
    assert.equal(await exists(id), true);
    await ask('delete_links', { ids: [id], confirm });
    assert.equal(await exists(id), false);
    assert.match((await call('delete_links', { ids: [id], confirm })).content[0].text, /was used already/);
  });

  it('refuses with confirm=person what nobody can be asked about', async () => {
    const [id] = (await links(1)) as [string];
    const alone = await assistant({ query: '?confirm=person' });
    assert.match((await alone.call('delete_links', { ids: [id] })).content[0].text, /^confirmation_needed/);
    const { ask } = await assistant({ query: '?confirm=person', person: 'accepts' });
    await ask('delete_links', { ids: [id] });
  });

  it('takes no state that was changed, is of another call, of another key, or was used', async () => {
    const [id, other] = (await links(2)) as [string, string];
    const { result } = await raw('delete_links', { ids: [id] });
    assert.equal(result.resultType, 'input_required');
    const { requestState } = result;
    const { body: key } = await world.api('POST', '/keys', { name: 'Other', kind: 'secret', scopes: ['*'] });
    const more = (state: string) => ({ inputResponses: yes, requestState: state });
    const wrong = [
      await raw(
        'delete_links',
        { ids: [id] },
        more(`${requestState.slice(0, -1)}${requestState.endsWith('A') ? 'B' : 'A'}`),
      ),
      await raw('delete_links', { ids: [other] }, more(requestState)),
      await raw('delete_links', { ids: [id] }, more(requestState), key.key),
      await raw('archive_links', { ids: [id] }, more(requestState)),
    ];
    for (const { error } of wrong) assert.equal(error?.code, -32602);
    const unanswered = await raw('delete_links', { ids: [id] }, { requestState });
    assert.equal(unanswered.result.isError, true);
    assert.equal(await exists(id), true);
    // An answer alone proves nothing: without the state nobody was asked.
    const invented = await raw('delete_links', { ids: [id] }, { inputResponses: yes });
    assert.equal(invented.result.resultType, 'input_required');
    const done = await raw('delete_links', { ids: [id] }, more(requestState));
    assert.equal(done.result.structuredContent.counts.deleted, 1);
    const again = await raw('delete_links', { ids: [id] }, more(requestState));
    assert.match(again.result.content[0].text, /was used already/);
  });

  it('asks about many records, whatever is done to them', async () => {
    const ids = await links(6);
    const { ask } = await assistant();
    const { needs_confirmation, confirm, would } = await ask('update_links', { ids, set: { title: 'Six' } });
    assert.equal(needs_confirmation, true);
    assert.match(would, /^Change title of 6 links/);
    assert.equal((await ask('update_links', { ids, set: { title: 'Six' }, confirm })).counts.updated, 6);
    const retagged = await ask('update_links', { ids, add_tags: ['new'], remove_tags: ['old', 'older'] });
    assert.match(retagged.would, /^Add tags \(new\), remove tags \(old, older\) of 6 links/);
    const stops = await ask('update_links', { ids: ids.slice(0, 1), set: { password: 'secret' }, add_tags: ['new'] });
    assert.equal(stops.needs_confirmation, true);
    assert.equal((await ask('update_links', { ids: ids.slice(0, 5), set: { title: 'Five' } })).counts.updated, 5);
    assert.equal((await ask('update_links', { ids, set: { title: 'Dry' }, dry_run: true })).dry_run, true);
  });

  it('confirms by write_api whatever a tool of its own confirms', async () => {
    const [id] = (await links(1)) as [string];
    const { ask } = await assistant();
    for (const [operation, args] of [
      ['deleteLink', { id }],
      ['archiveLink', { id }],
      ['bulkDeleteLinks', { ids: [id] }],
      ['updateLink', { id, archived: true }],
      ['bulkUpdateLinks', { ids: [id], set: { archived: true } }],
    ] as const) {
      assert.equal((await ask('write_api', { operation, arguments: args })).needs_confirmation, true, operation);
    }
    assert.equal(await exists(id), true);
  });

  describe('with a key of its own', () => {
    let key: string;
    let keyId: string;
    beforeEach(async () => {
      const { body } = await world.api('POST', '/keys', { name: 'Budget', kind: 'secret', scopes: ['*'] });
      ({ key, id: keyId } = body);
    });
    const left = async () => (await world.api.as(key)('GET', '/keys/current')).body.write_budget.remaining;

    it('counts records, gives back what failed, and refuses what is too much before anything is done', async () => {
      const { call, ask } = await assistant({}, key);
      const sent = [
        { destination: 'https://example.com/x' },
        { destination: 'javascript:alert(1)' },
        { destination: 'https://example.com/y' },
      ];
      const { isError, content, structuredContent } = await call('create_links', { links: sent });
      assert.equal(isError, true);
      assert.match(content[0].text, /2 of 3 were done; failed by position: 1\./);
      assert.equal(structuredContent.write_budget.remaining, 58);
      assert.equal(await left(), 58);
      const many = Array.from({ length: 59 }, () => ({ destination: 'https://example.com/many' }));
      assert.match(
        (await call('create_links', { links: many })).content[0].text,
        /^write_budget_used_up: This changes 59 records; 58 of 60 are left/,
      );
      await ask('create_links', { links: many, dry_run: true });
      assert.match(
        (await call('create_links', { links: [{ destination: 'no url' }] })).content[0].text,
        /^validation_failed/,
      );
      assert.equal(await left(), 58);
      assert.ok(keyId);
    });

    it('is narrowed by the URL', async () => {
      const { call, ask } = await assistant({ query: '?budget=1' }, key);
      assert.equal((await ask('get_context')).write_budget.limit, 1);
      await ask('create_links', { links: [{ destination: 'https://example.com/one' }] });
      assert.match(
        (await call('create_links', { links: [{ destination: 'https://example.com/two' }] })).content[0].text,
        /^write_budget_used_up/,
      );
    });

    it('deletes no 5,000 links, however it is asked', async () => {
      const ids = Array.from({ length: 5000 }, (_, at) => `lnk_${at}`);
      const { call } = await assistant({ person: 'accepts' }, key);
      assert.match((await call('delete_links', { ids })).content[0].text, /^validation_failed/);
      const generic = async (some: string[]) =>
        (await call('write_api', { operation: 'bulkDeleteLinks', arguments: { ids: some } })).content[0].text;
      assert.match(await generic(ids), /^validation_failed/);
      assert.match(await generic(ids.slice(0, 1000)), /^write_budget_used_up/);
      assert.equal(await left(), 60);
    });

    it('does nothing twice with the same idempotency_key, and counts it once', async () => {
      const { ask, call } = await assistant({}, key);
      const args = { links: [{ destination: 'https://example.com/once' }], idempotency_key: 'k1' };
      const [first, second] = [await ask('create_links', args), await ask('create_links', args)];
      assert.equal(first.links[0].id, second.links[0].id);
      assert.equal(await left(), 59);
      const other = await call('create_links', { ...args, links: [{ destination: 'https://example.com/other' }] });
      assert.match(other.content[0].text, /^idempotency_key_reused/);
      assert.equal(await left(), 59);
    });

    it('counts each call by tool and outcome', async () => {
      const before = await countOf('create_links', 'ok');
      const { ask } = await assistant({}, key);
      await ask('create_links', { links: [{ destination: 'https://example.com/counted' }] });
      assert.equal(await countOf('create_links', 'ok'), before + 1);
    });
  });

  describe('in a small quota', () => {
    useSettings({ rateLimitPerMinute: 1_000_000 });

    it('counts every operation against the quota of the key', async () => {
      const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'get_context' };
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_context', arguments: {}, _meta: META },
      };
      const first = await post(world.origin, world.secretKey, message, headers);
      const second = await post(world.origin, world.secretKey, message, headers);
      const remaining = (reply: typeof first) => Number(reply.headers.get('ratelimit-remaining'));
      // getCurrentKey is the request itself; listTags and listDomains are two more.
      assert.equal(remaining(first) - remaining(second), 3);
    });
  });
});

async function countOf(tool: string, outcome: string): Promise<number> {
  const { values } = await metrics.toolCalls.get();
  return values.find(({ labels }) => labels.tool === tool && labels.outcome === outcome)?.value ?? 0;
}
