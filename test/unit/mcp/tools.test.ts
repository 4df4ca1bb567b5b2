// stores: none
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { ADVICE } from '../../../mcp/advice.ts';
import type { CodeEngine } from '../../../mcp/codeEngine.ts';
import { elsewhereOf, notOfferedText, wayOf } from '../../../mcp/offered.ts';
import type { ApiTable } from '../../../mcp/parts.ts';
import { INSTRUCTIONS } from '../../../mcp/productServer.ts';
import { argumentsOf } from '../../../mcp/slimSchema.ts';
import { compileTools, shownTool, TOOLS } from '../../../mcp/tools.ts';
import { ERROR_STATUS } from '../../../src/kernel/errors.ts';
import { inRoot } from '../../support/root.ts';

const api = JSON.parse(readFileSync(inRoot('cli/manifest.json'), 'utf8')) as ApiTable;
const tools = compileTools({ api, code: {} as CodeEngine });
const GOLDEN = inRoot('test/unit/mcp/tools.golden.json');

describe('MCP: the table of tools', () => {
  it('has 27 tools, and no two of one name', () => {
    assert.equal(TOOLS.length, 27);
    assert.equal(new Set(TOOLS.map(({ name }) => name)).size, 27);
  });

  it('instructs a model in few words', () => {
    assert.ok(INSTRUCTIONS.length <= 600, `${INSTRUCTIONS.length}`);
  });

  it('shows what it showed before (GOLDEN=write npx mocha writes it anew)', () => {
    const shown = {
      tools: tools.map((tool) => ({ needs: tool.needs, ...shownTool(tool) })),
    };
    if (process.env.GOLDEN === 'write') writeFileSync(GOLDEN, `${JSON.stringify(shown, null, 2)}\n`);
    assert.deepEqual(JSON.parse(JSON.stringify(shown)), JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });

  it('says of each tool whether it reads, and of each argument what it is', () => {
    for (const tool of tools) {
      const { annotations, inputSchema } = shownTool(tool);
      assert.equal(annotations.readOnlyHint, tool.does === 'reads');
      const isReading = tool.uses.every(({ method }) => method === 'GET');
      if (tool.does === 'reads') assert.ok(isReading, `${tool.name} is said to read`);
      else assert.ok(!isReading || tool.uses.length === 0, `${tool.name} is said to write`);
      for (const [name, schema] of Object.entries(inputSchema.properties)) {
        assert.ok(schema.type || schema.enum || schema.oneOf, `${tool.name}.${name} has no type`);
      }
    }
  });

  it('knows what to do about every error code', () => {
    for (const code of Object.keys(ERROR_STATUS)) assert.ok(ADVICE[code], code);
    for (const code of Object.keys(api.errors)) assert.ok(ADVICE[code], code);
  });

  it('reaches every operation but images, streams and those of apps, and says of those who does them where', () => {
    const left = api.operations.filter((operation) => wayOf(operation) === null);
    assert.deepEqual(left.map(({ id }) => id).sort(), [
      'getLinkQr',
      'recordEvents',
      'recordOpen',
      'resolveUrl',
      'streamEvents',
    ]);
    const pages = readFileSync(inRoot('dashboard/src/routes/projectPages.ts'), 'utf8');
    const links = readFileSync(inRoot('dashboard/src/routes/linkPages.ts'), 'utf8');
    for (const operation of left) {
      const text = notOfferedText(operation, 'https://svc.example.com');
      if (operation.api !== 'rest') assert.match(text, /called by apps/);
      else assert.match(text, /the tool \w+, or a person does it at https:\S+ or with svc \w+ \w+/);
    }
    for (const operation of api.operations.filter((one) => one.api === 'rest')) {
      const { page } = elsewhereOf(operation, '');
      assert.ok(`${pages}${links}`.includes(`path: '${page.replace('/app', '')}'`), `${operation.id}: ${page}`);
    }
  });

  it('writes where an operation shows a secret, so that it is confirmed', () => {
    for (const operation of api.operations)
      if (operation.secret || operation.danger === 'reveals') assert.equal(wayOf(operation), 'write_api', operation.id);
  });

  it('can take one flat list of arguments for every operation', () => {
    for (const operation of api.operations) {
      const params = operation.params.map(({ name }) => name);
      assert.equal(new Set(params).size, params.length, operation.id);
      const body = operation.body ? argumentsOf({ ...operation, params: [] }, api.schemas).properties : {};
      for (const name of params)
        assert.ok(!(name in body), `${operation.id}: ${name} is in path or query, and in the body`);
    }
  });
});
