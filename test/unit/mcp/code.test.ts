// stores: none
import { strict as assert } from 'node:assert';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CodeEngine } from '../../../mcp/codeEngine.ts';
import type { ApiTable, Json, Parts, Session } from '../../../mcp/parts.ts';
import { Interrupted } from '../../../mcp/requireConfirmation.ts';
import type { ToolRefusal } from '../../../mcp/results.ts';
import { ToolCall } from '../../../mcp/toolCall.ts';
import { compileTools } from '../../../mcp/tools.ts';
import { inRoot } from '../../support/root.ts';

const api = JSON.parse(readFileSync(inRoot('cli/manifest.json'), 'utf8')) as ApiTable;
const keys = [createSecretKey(randomBytes(32))];

describe('MCP: links as code', () => {
  let digest: string;
  let removals: number;
  let left: number;
  const applied: unknown[] = [];
  const engine: CodeEngine = {
    async plan(document) {
      if (document === 'bad')
        throw Object.assign(new Error('bad'), { problems: [{ path: 'links.a', message: 'Is bad.' }] });
      return { plan: document, records: 3, removals, conflicts: 0, text: 'Plan: 3 to create', digest };
    },
    writes: () =>
      removals > 0 ? [{ operation: 'bulkUpdateLinks', body: { ids: ['lnk_1'], set: { archived: true } } }] : [],
    async apply(plan, client) {
      applied.push(plan);
      client.progress?.(2, 3);
      return { done: 2, failed: [{ name: 'c', message: 'Slug is taken.' }] };
    },
  };
  const budgetOf = () => ({ limit: 10, remaining: left, resetSeconds: 0 });
  const parts = {
    api,
    code: engine,
    confirmAbove: () => 25,
    signingKeys: () => keys,
    now: () => Date.UTC(2026, 10, 27),
    budget: {
      left: async () => budgetOf(),
      async spend(_: string, records: number) {
        left -= records;
        return budgetOf();
      },
      async giveBack(_: string, records: number) {
        left += records;
      },
    },
  } as unknown as Parts;
  const tools = compileTools(parts);
  const progress: number[] = [];
  const run = async (name: string, args: Json) => {
    const tool = tools.find((candidate) => candidate.name === name);
    assert.ok(tool);
    const asking = {
      ...{
        client: null,
        signal: new AbortController().signal,
        canAsk: false,
        responses: undefined,
        requestState: undefined,
      },
      progress: (done: number) => progress.push(done),
    };
    const narrowing = { isReadOnly: false, toolsets: null, budget: undefined, confirm: 'code' as const };
    const ran = await tool.run(new ToolCall(parts, { keyId: 'key_1' } as Session, { tool, args, narrowing, asking }));
    return (ran as { value: Json }).value;
  };
  beforeEach(() => {
    [digest, removals, left] = ['one', 0, 10];
  });

  it('plans, and applies exactly that plan, within the budget', async () => {
    const { plan, records } = await run('plan_changes', { document: 'good' });
    assert.equal(records, 3);
    const done = await run('apply_plan', { document: 'good', plan });
    assert.equal(done.done, 2);
    assert.deepEqual(done.write_budget, { remaining: 8, limit: 10, resets_in_minutes: 0 });
    assert.deepEqual([applied, progress, left], [['good'], [2], 8]);
    const isStale = (error: ToolRefusal) => error.refusal.code === 'plan_stale';
    await assert.rejects(run('apply_plan', { document: 'other', plan }), isStale);
    await assert.rejects(run('apply_plan', { document: 'good', prune: true, plan }), isStale);
    digest = 'two';
    await assert.rejects(run('apply_plan', { document: 'good', plan }), isStale);
    left = 2;
    digest = 'one';
    await assert.rejects(
      run('apply_plan', { document: 'good', plan }),
      (error: ToolRefusal) => error.refusal.code === 'write_budget_used_up',
    );
  });

  it('asks before links are taken out of service, and tells what is wrong with a document', async () => {
    removals = 1;
    const { plan } = await run('plan_changes', { document: 'good' });
    let confirm = '';
    await assert.rejects(run('apply_plan', { document: 'good', plan }), (error: Interrupted) => {
      ({ confirm } = (error.result as { structuredContent: { confirm: string } }).structuredContent);
      return error instanceof Interrupted;
    });
    assert.equal((await run('apply_plan', { document: 'good', plan, confirm })).done, 2);
    await assert.rejects(
      run('plan_changes', { document: 'bad' }),
      (error: ToolRefusal) => error.refusal.fields?.[0]?.path === 'links.a',
    );
  });
});
