import { type Condition, compileConditions, type StoredConditions } from './conditions.ts';
import { compileTarget, type Target, type Utm } from './destinationUrl.ts';
import type { Redirect } from './outcome.ts';
import { fnv1a } from './stickyHash.ts';

/** `links.routing` as stored: the REST spelling of api.md §4. Parts that do not choose a destination are ignored. */
export interface StoredRouting {
  rules?: readonly StoredRule[] | null;
  split?: readonly { name?: string | null; destination: string; weight: number }[] | null;
  forward_query?: boolean | null;
  forward_path?: boolean | null;
  open_app?: boolean | null;
  ios?: StoredAppRouting | null;
  android?: StoredAppRouting | null;
}

/** How a link opens the app of one platform. */
export interface StoredAppRouting {
  /** The place in the app, from its `/`. */
  deep_link_path?: string | null;
  /** Where visitors without the app go: `store`, or a URL. Unset: to the destination. */
  fallback?: string | null;
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

export interface CompiledEntry extends Choice {
  weight: number;
  /** What visitors are hashed with for this entry: of its name, so that the order of entries does not matter. */
  seed: number;
}

export interface CompiledRouting {
  rules: readonly CompiledRule[];
  split: readonly CompiledEntry[];
  forwardQuery: boolean;
  forwardPath: boolean;
  /** Whether a rule asks for the visitor's parameters. */
  readsQuery: boolean;
  /** Null unless the link opens apps. */
  apps: { ios: StoredAppRouting; android: StoredAppRouting } | null;
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
    apps: stored?.open_app ? { ios: stored.ios ?? {}, android: stored.android ?? {} } : null,
    readsQuery: rules.some((rule) => [...rule.conditions, ...rule.exceptions].some(({ name }) => name === 'query')),
  };
}

/** `rule`: the name that clicks show for this choice; null for the link's own destination. */
export function compileChoice(destination: string, utm: Utm | null, rule: string | null): Choice {
  const target = compileTarget(destination, utm);
  return { target, ready: { kind: 'redirect', destination: target.url, rule, configured: destination } };
}

function compileSplit(entries: NonNullable<StoredRouting['split']>, utm: Utm | null): CompiledEntry[] {
  const namesakes = new Map<string, number>();
  return entries.map(({ name, destination, weight }, index) => {
    const called = name || `split ${index + 1}`;
    const before = namesakes.get(called) ?? 0;
    namesakes.set(called, before + 1);
    // Entries of one name would draw alike, and the heavier of them would take every visitor.
    return { ...compileChoice(destination, utm, called), weight, seed: fnv1a(`${called}\n${before}`) };
  });
}
