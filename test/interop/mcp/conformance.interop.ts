// stores: any
import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import { WELCOME } from '../../../app/webApp.ts';
import { createApp } from '../../../facade/app.ts';
import { mcpMounts } from '../../../facade/mcpMount.ts';
import { compileRoutes } from '../../../facade/route.ts';
import { handlerOf } from '../../../mcp/serve.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { fixtureServer } from '../../support/mcp/fixtureServer.ts';
import { closed, listening, portOf, withKey } from '../../support/mcp/keyProxy.ts';
import { useWorld } from '../../support/world.ts';
import { runConformance } from './runConformance.ts';

/** They need requests from the server to the client, which there are none of without sessions; the last one only warns. */
const NEED_SESSIONS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
];

/** Scenarios that ask for no tool of their own. */
const OF_THE_PRODUCT = [
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
  'caching',
];

const MODERN = ['--spec-version', '2026-07-28'];

/** The scenarios of a summary that count, and whether they passed. */
function scoredOf(output: string): Map<string, boolean> {
  const [, summary = '', unscored = ''] = /=== SUMMARY ===([\s\S]*?)\nNot scored for([\s\S]*)$/.exec(output) ?? [];
  const told = (text: string) => [...text.matchAll(/([✓✗]) ([\w-]+)/g)];
  const ignored = new Set(told(unscored).map(([, , name]) => name));
  const counted = told(summary).filter(([, , name]) => !ignored.has(name));
  return new Map(counted.map(([, mark, name]) => [name as string, mark === '✓']));
}

describe('MCP: conformance', function () {
  this.timeout(180_000);
  const world = useWorld();
  let fixtures: Server;
  let proxy: { url: string; close(): Promise<void> };
  before(async () => {
    const schema = buildGraphqlSchema();
    const apis = { routes: compileRoutes(schema), schema };
    const { mounts } = mcpMounts(apis, async () => () => handlerOf(fixtureServer));
    fixtures = createServer(createApp({ routes: [], schema }, mounts, WELCOME).callback());
    await listening(fixtures);
    proxy = await withKey(new URL(`http://localhost:${portOf(fixtures)}/mcp`), world.secretKey);
  });
  after(async () => {
    await proxy.close();
    await closed(fixtures);
  });

  it('passes all 37 scored scenarios of 2026-07-28 through the mount', async () => {
    const { output } = await runConformance(proxy.url, ['--requirements', '2026-07-28']);
    const scored = scoredOf(output);
    assert.equal(scored.size, 37, output.slice(-3000));
    // Some wait half a second for an answer, which is not enough beside the other tests: those are tried again alone.
    for (const [name, hasPassed] of scored) {
      if (hasPassed) continue;
      const alone = await runConformance(proxy.url, ['--scenario', name, ...MODERN]);
      assert.equal(alone.code, 0, `${name}: ${alone.output.slice(0, 6000)}`);
    }
  });

  it('passes 26 of 30 scored scenarios of 2025-11-25, and all that need no sessions', async () => {
    const args = ['--requirements', '2025-11-25', '--timeout', '2000'];
    const { code, output } = await runConformance(proxy.url, args, NEED_SESSIONS);
    if (code === 0) return;
    // The same; of this revision, the summary names those that were not expected to fail.
    const unexpected = /Unexpected failures \(not in baseline\)([\s\S]*)$/.exec(output)?.[1] ?? '';
    const names = [...unexpected.matchAll(/✗ ([\w-]+)/g)].map(([, name]) => name as string);
    assert.notEqual(names.length, 0, output.slice(-6000));
    for (const name of names) {
      const alone = await runConformance(proxy.url, ['--scenario', name, '--spec-version', '2025-11-25']);
      assert.equal(alone.code, 0, `${name}: ${alone.output.slice(0, 6000)}`);
    }
  });

  it('passes with the tools of the product what asks for no tool of its own', async () => {
    const product = await withKey(new URL(world.origin), world.secretKey);
    const { output } = await runConformance(product.url, ['--requirements', '2026-07-28', '--timeout', '2000']);
    const scored = scoredOf(output);
    for (const name of OF_THE_PRODUCT) {
      if (scored.get(name)) continue;
      const alone = await runConformance(product.url, ['--scenario', name, ...MODERN]);
      assert.equal(alone.code, 0, `${name}: ${alone.output.slice(0, 3000)}`);
    }
    await product.close();
  });
});
