import type { CodeApi } from './api.ts';
import type { Schema } from './checkSchema.ts';
import { diff } from './diff.ts';
import { digestOf } from './digest.ts';
import { loadActual } from './loadActual.ts';
import type { Plan, PlanOptions, Stack } from './types.ts';

/** Reads what the server has and says what applying the stack would do. Nothing is written. */
export async function plan(stack: Stack, api: CodeApi, options: PlanOptions, schema: Schema): Promise<Plan> {
  // What the server has is let go before the digest is made: of 100,000 links it is 60 MB.
  const made = diff(stack, await loadActual(api, stack, options), options, schema);
  return { ...made, digest: await digestOf(made) };
}
