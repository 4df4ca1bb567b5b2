// stores: any
import { strict as assert } from 'node:assert';
import { type Assistant, connect } from '../../support/mcp/client.ts';
import { useWorld } from '../../support/world.ts';

describe('MCP: the tools for links', () => {
  const world = useWorld();
  let assistant: Assistant;
  before(async () => {
    assistant = await connect(world.origin, world.secretKey);
  });
  after(() => assistant.close());

  it('speaks the revision 2026-07-28 and says what it is', async () => {
    assert.equal(assistant.client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.equal(assistant.client.getServerVersion()?.name, 'svc');
    assert.ok((assistant.client.getInstructions() ?? '').length <= 600);
  });

  it('tells where it is', async () => {
    const context = await assistant.ask('get_context');
    assert.equal(context.write_budget.limit, 200);
    assert.ok(context.project.default_domain);
    assert.ok(context.key.scopes.includes('links:write'));
  });

  it('creates one link and many, finds and changes them', async () => {
    const one = await assistant.ask('create_links', {
      links: [{ destination: 'https://example.com/a', title: 'One' }],
    });
    assert.equal(one.links[0].title, 'One');
    assert.equal(one.write_budget.remaining, 199);
    const many = await assistant.ask('create_links', {
      links: [{ destination: 'https://example.com/b' }, { destination: 'https://example.com/c' }],
    });
    assert.equal(many.counts.created, 2);
    assert.equal(many.write_budget.remaining, 197);
    const found = await assistant.ask('find_links', { search: 'example.com/b' });
    assert.equal(found.data.length, 1);
    const ids = many.links.map(({ id }: { id: string }) => id);
    const changed = await assistant.ask('update_links', { ids, set: { title: 'Both' } });
    assert.deepEqual(
      changed.links.map(({ title }: { title: string }) => title),
      ['Both', 'Both'],
    );
    const tagged = await assistant.ask('update_links', { ids, add_tags: ['autumn', 'sale'] });
    assert.deepEqual(
      tagged.links.map(({ tags }: { tags: string[] }) => tags),
      [
        ['autumn', 'sale'],
        ['autumn', 'sale'],
      ],
    );
    const change = { ids: [ids[0]], set: { title: 'Retagged' }, add_tags: ['winter'], remove_tags: ['autumn', 'sale'] };
    const [retagged] = (await assistant.ask('update_links', change)).links;
    assert.deepEqual([retagged.title, retagged.tags], ['Retagged', ['winter']]);
    const nothing = await assistant.call('update_links', { ids });
    assert.equal(nothing.isError, true);
    assert.match(nothing.content[0].text, /Send set, add_tags or remove_tags/);
    for (const link of [ids[0], many.links[0].short_url, many.links[0].short_url.replace(/^https?:\/\//, '')]) {
      assert.equal((await assistant.ask('get_link', { link })).link.id, ids[0]);
    }
    assert.equal((await assistant.ask('trace_link', { link: ids[0] })).outcome.destination, 'https://example.com/b');
    const { content } = await assistant.call('get_qr_code', { link: ids[0] });
    assert.equal(content[0].mimeType, 'image/png');
  });
});
