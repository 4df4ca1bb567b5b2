// stores: any
import { strict as assert } from 'node:assert';
import { type Assistant, connect } from '../../support/mcp/client.ts';
import { useWorld } from '../../support/world.ts';

const STACK = 'version: 1\nstack: shop\n';
const TWO = `${STACK}links:\n  spring: https://example.com/spring\n  summer:\n    destination: https://example.com/summer\n    title: Summer\n`;
const ONE = `${STACK}links:\n  spring: https://example.com/spring-2\n`;

describe('MCP: links as code against the product', () => {
  const world = useWorld();
  let assistant: Assistant;

  before(async () => {
    assistant = await connect(world.origin, world.secretKey);
  });
  after(() => assistant.close());

  const ask = async (name: string, args: object) => {
    const { isError, structuredContent, content } = await assistant.call(name, args);
    return { isError: isError === true, value: structuredContent, text: content[0].text as string };
  };

  it('plans, applies, and is in step afterwards', async () => {
    const planned = await ask('plan_changes', { document: TWO });
    assert.equal(planned.value.records, 2, planned.text);
    assert.match(planned.value.text, /\+ link spring/);
    const applied = await ask('apply_plan', { document: TWO, plan: planned.value.plan });
    assert.equal(applied.isError, false, applied.text);
    assert.deepEqual([applied.value.done, applied.value.failed], [2, []]);
    const { body } = await world.api('GET', '/links?managed_by=code:shop');
    assert.deepEqual(body.data.map((link: { external_id: string }) => link.external_id).sort(), [
      'shop/spring',
      'shop/summer',
    ]);
    assert.equal((await ask('plan_changes', { document: TWO })).value.records, 0);
  });

  it('refuses a plan that the project has overtaken', async () => {
    const planned = await ask('plan_changes', { document: ONE });
    await world.api('PATCH', '/links/ext_shop%2Fspring', { title: 'By hand' });
    const applied = await ask('apply_plan', { document: ONE, plan: planned.value.plan });
    assert.equal(applied.isError, true);
    assert.match(applied.text, /^plan_stale/);
  });

  it('asks before it takes links out of service', async () => {
    const planned = await ask('plan_changes', { document: ONE, prune: true });
    assert.equal(planned.value.removals, 1, planned.text);
    const args = { document: ONE, prune: true, plan: planned.value.plan };
    const asked = await ask('apply_plan', args);
    const { confirm } = asked.value;
    assert.equal(typeof confirm, 'string', asked.text);
    const applied = await ask('apply_plan', { ...args, confirm });
    assert.equal(applied.isError, false, applied.text);
    const { body } = await world.api('GET', '/links/ext_shop%2Fsummer');
    assert.equal(body.status, 'archived');
  });

  it('says where a document is wrong', async () => {
    const { isError, text } = await ask('plan_changes', { document: `${STACK}links:\n  Bad Name: nowhere\n` });
    assert.equal(isError, true);
    assert.match(text, /validation_failed/);
    assert.match(text, /line 4/);
  });
});
