// stores: any
import { strict as assert } from 'node:assert';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Assistant, connect } from '../support/mcp/client.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';

const SECRET_KEY = 'the secret of both processes, long enough';

describe('assistants at several processes', () => {
  let store: Store;
  const children: Child[] = [];
  const assistants: Assistant[] = [];

  before(async function () {
    this.timeout(400_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    for (const folder of ['one', 'two']) {
      const env = { ...store.env, DATA_DIR: `${store.dataDir}/${folder}`, SECRET_KEY, MCP_WRITES_PER_HOUR: '10' };
      children.push(await startChild(await freePort(), env));
    }
  });
  after(async () => {
    await Promise.all(assistants.map((assistant) => assistant.close()));
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
  });

  it('take confirmations from each other, use each once for a deletion, and share the budget', async function () {
    this.timeout(180_000);
    const [one, two] = children as [Child, Child];
    const key = one.secretKey;
    const api = apiOf(one.origin, key);
    const make = async () => (await api('POST', '/links', { destination: 'https://example.com/' })).body.id as string;
    const [first, second] = [await make(), await make()];
    for (const { origin } of children) assistants.push(await connect(origin, key));
    const [here, there] = assistants as [Assistant, Assistant];
    const { confirm } = await here.ask('delete_links', { ids: [first] });
    assert.equal((await there.ask('delete_links', { ids: [first], confirm })).counts.deleted, 1);
    const again = await here.call('delete_links', { ids: [first], confirm });
    assert.match(again.content[0].text, /was used already/);
    // The state of an elicitation: asked by one, answered to the other.
    const asked = await raw(one.origin, key, second, {});
    assert.equal(asked.resultType, 'input_required');
    const answered = {
      inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } },
      requestState: asked.requestState,
    };
    assert.equal((await raw(two.origin, key, second, answered)).structuredContent.counts.deleted, 1);
    assert.match((await raw(one.origin, key, second, answered)).content[0].text, /was used already/);
    const nine = Array.from({ length: 9 }, () => ({ destination: 'https://example.com/' }));
    const { content } = await there.call('create_links', { links: nine });
    assert.match(content[0].text, /^write_budget_used_up: This changes 9 records; 8 of 10 are left/);
  });
});

/** A deletion as a client of the present revision asks for it that can show forms. */
async function raw(origin: string, key: string, id: string, more: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'delete_links',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'delete_links', arguments: { ids: [id] }, _meta: meta, ...more },
    }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  return ((await response.json()) as any).result;
}
