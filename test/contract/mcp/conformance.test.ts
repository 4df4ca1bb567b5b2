// stores: any
import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import { createApp } from '../../../facade/app.ts';
import { mcpMounts } from '../../../facade/mcpMount.ts';
import { compileRoutes } from '../../../facade/route.ts';
import { handlerOf } from '../../../mcp/serve.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { WELCOME } from '../../../src/app/webApp.ts';
import { closed, listening, portOf, runConformance, withKey } from '../../support/mcp/conformance.ts';
import { fixtureServer } from '../../support/mcp/fixtureServer.ts';
import { useWorld } from '../../support/world.ts';

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

/** Scenarios of the summary that passed and count. */
function scoredPasses(output: string): number {
  const [, summary = '', unscored = ''] = /=== SUMMARY ===([^]*?)\nNot scored for([^]*)$/.exec(output) ?? [];
  const passed = (text: string) => [...text.matchAll(/✓ ([\w-]+)/g)].map(([, name]) => name);
  const ignored = new Set(passed(unscored));
  return passed(summary).filter((name) => !ignored.has(name)).length;
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
    const { code, output } = await runConformance(proxy.url, ['--requirements', '2026-07-28']);
    assert.equal(code, 0, output.slice(-6000));
    assert.equal(scoredPasses(output), 37, output.slice(-3000));
  });

  it('passes 26 of 30 scored scenarios of 2025-11-25, and all that need no sessions', async () => {
    const args = ['--requirements', '2025-11-25', '--timeout', '2000'];
    const { code, output } = await runConformance(proxy.url, args, NEED_SESSIONS);
    assert.equal(code, 0, output.slice(-6000));
  });

  it('passes the scenarios of 2026-07-28 that the tools of the product can pass', async () => {
    const product = await withKey(new URL(world.origin), world.secretKey);
    for (const scenario of OF_THE_PRODUCT) {
      const args = ['--scenario', scenario, '--spec-version', '2026-07-28'];
      const { code, output } = await runConformance(product.url, args);
      assert.equal(code, 0, `${scenario}: ${output.slice(-3000)}`);
    }
    await product.close();
  });
});
