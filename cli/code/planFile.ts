import { readFile } from 'node:fs/promises';
import type { Plan, PlanOptions, Stack } from '../../sdk/code/index.ts';
import { CliError } from '../errors.ts';
import { replaceFile } from '../replaceFile.ts';
import { planJson } from './showPlan.ts';

/** A plan that was kept, with what is needed to plan anew. Secrets are in it only as what the files point to. */
export interface PlanFile {
  kind: 'svc-plan';
  version: 1;
  digest: string;
  options: PlanOptions;
  stack: Stack;
  plan: ReturnType<typeof planJson>;
}

export async function writePlanFile(to: string, plan: Plan, stack: Stack, options: PlanOptions): Promise<void> {
  const kept: PlanFile = { kind: 'svc-plan', version: 1, digest: plan.digest, options, stack, plan: planJson(plan) };
  await replaceFile(to, `${JSON.stringify(kept)}\n`);
}

export async function readPlanFile(from: string): Promise<PlanFile> {
  const advice = 'svc plan -o plan.json writes one.';
  let kept: PlanFile;
  try {
    kept = JSON.parse(await readFile(from, 'utf8'));
  } catch (error) {
    throw new CliError('failed', 'invalid_plan_file', `${from} is no plan: ${(error as Error).message}`, advice);
  }
  if (kept?.kind !== 'svc-plan') throw new CliError('failed', 'invalid_plan_file', `${from} is no plan.`, advice);
  if (kept.version !== 1)
    throw new CliError('failed', 'invalid_plan_file', `${from} is of another version of svc.`, 'Plan again.');
  return kept;
}
