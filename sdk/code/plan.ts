import type { CodeApi } from './api.ts';
import type { Schema } from './checkSchema.ts';
import { diff } from './diff.ts';
import { loadActual } from './loadActual.ts';
import type { Plan, PlanOptions, Stack } from './types.ts';

/** Reads what the server has and says what applying the stack would do. Nothing is written. */
export async function plan(stack: Stack, api: CodeApi, options: PlanOptions, schema: Schema): Promise<Plan> {
  return diff(stack, await loadActual(api, stack, options), options, schema);
}
