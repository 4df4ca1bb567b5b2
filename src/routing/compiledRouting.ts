import { type Condition, compileConditions, type StoredConditions } from './conditions.ts';
import { compileTarget, type Target, type Utm } from './destinationUrl.ts';
import type { Redirect } from './outcome.ts';

/** `links.routing` as stored: the REST spelling of api.md §4. Parts that do not choose a destination are ignored. */
export interface StoredRouting {
  rules?: readonly StoredRule[] | null;
  split?: readonly { name?: string | null; destination: string; weight: number }[] | null;
  forward_query?: boolean | null;
  forward_path?: boolean | null;
}

export interface StoredRule {
  name?: string | null;
  when?: (StoredConditions & { not?: StoredConditions | null }) | null;
  destination: string;
}

/** One place to send a visitor to, and the answer that is ready when the visitor brings no parameters. */
export interface Choice {
  target: Target;
  ready: Redirect;
}

export interface CompiledRule extends Choice {
  conditions: readonly Condition[];
  /** What stood under `not`. */
  exceptions: readonly Condition[];
}

export interface CompiledRouting {
  rules: readonly CompiledRule[];
  /** `upTo`: the share of visitors (0 to 1) that this entry and those before it take together. */
  split: readonly (Choice & { upTo: number })[];
  forwardQuery: boolean;
  forwardPath: boolean;
  /** Whether a rule asks for the visitor's parameters. */
  readsQuery: boolean;
}

/** Every destination of the routing gets the link's `utm`. Rules without a name are called by their place, from 1. */
export function compileRouting(stored: StoredRouting | null, utm: Utm | null): CompiledRouting {
  const rules = (stored?.rules ?? []).map((rule, index) => ({
    ...compileChoice(rule.destination, utm, rule.name || `rule ${index + 1}`),
    conditions: compileConditions(rule.when),
    exceptions: compileConditions(rule.when?.not),
  }));
  return {
    rules,
    split: compileSplit(stored?.split ?? [], utm),
    forwardQuery: stored?.forward_query ?? true,
    forwardPath: stored?.forward_path ?? false,
    readsQuery: rules.some((rule) => [...rule.conditions, ...rule.exceptions].some(({ name }) => name === 'query')),
  };
}

/** `rule`: the name that clicks show for this choice; null for the link's own destination. */
export function compileChoice(destination: string, utm: Utm | null, rule: string | null): Choice {
  const target = compileTarget(destination, utm);
  return { target, ready: { kind: 'redirect', destination: target.url, rule, configured: destination } };
}

function compileSplit(entries: NonNullable<StoredRouting['split']>, utm: Utm | null): CompiledRouting['split'] {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  return entries.map(({ name, destination, weight }, index) => {
    reached += weight;
    return { ...compileChoice(destination, utm, name || `split ${index + 1}`), upTo: reached / total };
  });
}
