import type { ApplyResult } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';

/** More would hide the first ones. */
const MAX_TOLD = 50;

/** Tells by name what was refused, and why the rest was not tried. */
export function tellFailures({ output }: Context, { failed, stopped }: ApplyResult): void {
  for (const { kind, name, code, message } of failed.slice(0, MAX_TOLD))
    output.problem(`failed: ${kind} ${name}: ${code}: ${message}`);
  if (failed.length > MAX_TOLD) output.problem(`… and ${failed.length - MAX_TOLD} more`);
  if (stopped) output.problem(`stopped: ${stopped.code}: ${stopped.message}`);
}
