// stores: any
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { CodeEngine } from '../../../mcp/codeEngine.ts';
import type { ApiTable } from '../../../mcp/parts.ts';
import { compileTools, shownTool } from '../../../mcp/tools.ts';
import { fetcher } from '../../support/documentation.ts';
import { inRoot } from '../../support/root.ts';
import { useWorld } from '../../support/world.ts';

const api = JSON.parse(readFileSync(inRoot('cli/manifest.json'), 'utf8')) as ApiTable;
const tools = compileTools({ api, code: {} as CodeEngine });
const GOLDEN = inRoot('test/interop/mcp/tokens.golden.json');

/** What a model sees of a tool: its name, its description and its arguments. */
function tokensOf(tool: (typeof tools)[number]): number {
  const { name, description, inputSchema } = shownTool(tool);
  return encode(JSON.stringify({ name, description, input_schema: inputSchema })).length;
}

const sum = (of: typeof tools) => of.reduce((total, tool) => total + tokensOf(tool), 0);

describe('MCP: the table of tools', () => {
  const core = tools.filter(({ toolset }) => toolset === 'core');

  it('costs a model little', () => {
    for (const tool of tools) assert.ok(tokensOf(tool) <= 450, `${tool.name}: ${tokensOf(tool)}`);
    assert.ok(sum(tools) <= 5000, `all: ${sum(tools)}`);
    assert.ok(sum(core) <= 3000, `core: ${sum(core)}`);
  });

  it('costs what it cost before (GOLDEN=write npm run test:interop writes it anew)', () => {
    const costs = {
      all: sum(tools),
      core: sum(core),
      tools: Object.fromEntries(tools.map((tool) => [tool.name, tokensOf(tool)])),
    };
    if (process.env.GOLDEN === 'write') writeFileSync(GOLDEN, `${JSON.stringify(costs, null, 2)}\n`);
    assert.deepEqual(costs, JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });
});

describe('the documentation for machines', () => {
  const read = fetcher(useWorld());

  it('keeps the bounds of what assistants read, in tokens', async () => {
    const [short, full] = await Promise.all([read('/llms.txt'), read('/llms-full.txt')]);
    assert.ok(encode(short.text).length <= 2_000, `llms.txt: ${encode(short.text).length}`);
    assert.ok(encode(full.text).length <= 45_000, `llms-full.txt: ${encode(full.text).length}`);
  });
});
