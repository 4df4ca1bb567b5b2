import { maskError } from '../schema/execute.ts';
import { addPoints } from '../src/access/counters.ts';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { returnWrites, spendWrites, writeBudgetOf } from '../src/access/writeBudget.ts';
import { clock } from '../src/kernel/clock.ts';
import { config } from '../src/kernel/config.ts';
import { metrics } from '../src/kernel/metrics.ts';
import { macKeys } from '../src/kernel/secrets.ts';
import { makeManifest } from './manifest.ts';
import { toolDocs } from './reference/toolDocs.ts';
import type { Apis } from './router.ts';

/** What the tools for assistants are handed. Made at the first request: nobody may ever send one. */
export function mcpParts({ routes, schema }: Apis) {
  const manifest = makeManifest(routes, schema);
  return {
    api: manifest,
    baseUrl: () => config.baseUrl,
    confirmAbove: () => config.mcpConfirmAbove,
    budget: { left: writeBudgetOf, spend: spendWrites, giveBack: returnWrites },
    signingKeys: () => macKeys('confirmations of assistants'),
    claimOnce: async (name: string, endsAtMs: number) => (await addPoints(`mcp:${name}`, 1, endsAtMs)) === 1,
    now: () => clock.now(),
    docs: toolDocs(manifest),
    observe: (tool: string, outcome: string) => metrics.toolCalls.inc({ tool, outcome }),
    refusalOf(error: unknown, requestId: string) {
      const { code, message, fields, retryAfterSeconds } = maskError(error, requestId);
      return { code, message, fields, retryAfterSeconds };
    },
  };
}

export type McpParts = ReturnType<typeof mcpParts>;

/** A key, as a principal of what is done for it through a tool. */
export function throughTool(principal: KeyPrincipal, tool: string, client: string | null): KeyPrincipal {
  return { ...principal, via: { surface: 'mcp', tool, client } };
}
