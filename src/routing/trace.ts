import { type AppTarget, appTarget, type TargetApp } from './appTarget.ts';
import type { CompiledLink } from './compiledLink.ts';
import { failedCondition, type Subject } from './conditions.ts';
import { decide, forwardedBy, type Outcome, type RequestFacts, splitEntry } from './decide.ts';
import { whyExcluded, whyNotHeld } from './explainCondition.ts';
import { type LinkStatus, linkStatus } from './status.ts';
import { parseParameters } from './urlEncoding.ts';
import type { Visitor } from './visitor.ts';

/** One step of the router. */
export interface TraceStep {
  /** A status, `password`, the name of a rule or split entry as clicks show it, `destination`, or `open_app`. */
  rule: string;
  /**
   * Whether the step decided. Besides the step that chose the destination, `password` can match before it and `open_app`
   * after it.
   */
  matched: boolean;
  /** The reason, as a sentence. */
  why: string;
}

export interface Trace {
  /** Every step in the order of the router, including those after the one that decided. */
  steps: TraceStep[];
  /**
   * `password`: the visitor has to enter it first; `destination` is where it leads then. `app`: an intent, a store or the
   * link's replacement for the store, without the token that a click would carry.
   */
  outcome: { kind: Outcome['kind'] | 'password' | 'app'; destination: string | null };
}

export interface TraceInput {
  visitor: Visitor;
  /** Milliseconds since the epoch. */
  now: number;
  request: RequestFacts;
}

interface TracedLink extends CompiledLink {
  isProtected: boolean;
  /** Apps of its project. */
  apps?: readonly TargetApp[];
}

/** Explains what `decide` and `appTarget` decide for a link and a visitor. */
export function trace(link: TracedLink, input: TraceInput): Trace {
  const { visitor, now, request } = input;
  const outcome = decide(link, visitor, now, request);
  const isAsked = link.isProtected && outcome.kind === 'redirect';
  const opening = openingOf(link, input, outcome);
  const location = opening?.location ?? null;
  const steps = toSteps([
    ...statusSteps(link, now),
    ...(link.isProtected ? [PASSWORD] : []),
    ...ruleSteps(link, input),
    ...splitSteps(link, input),
    { rule: 'destination', takes: true, why: 'No step before it decided.' },
  ]);
  return {
    steps: opening ? [...steps, { rule: 'open_app', matched: location !== null, why: opening.why }] : steps,
    outcome: {
      kind: isAsked ? 'password' : location !== null ? 'app' : outcome.kind,
      destination: location ?? ('destination' in outcome ? outcome.destination : null),
    },
  };
}

/** Where a link that opens apps sends the visitor instead of its web destination; null for other links. */
function openingOf(link: TracedLink, { visitor, request }: TraceInput, outcome: Outcome): AppTarget | null {
  const { routing, apps = [] } = link;
  if (routing.apps === null) return null;
  if (outcome.kind !== 'redirect') return { location: null, why: `Not checked: the link is ${outcome.kind}.` };
  const { destination: web } = outcome;
  const carried = { forwarded: forwardedBy(link, request), token: null, pageUrl: null, isReturning: false };
  return appTarget({ visitor, apps, routing: routing.apps, link, web, ...carried });
}

/** A step on its own. `takes`: it ends the routing; `asks`: it interrupts the visitor, and routing continues. */
interface Candidate {
  rule: string;
  takes: boolean;
  asks?: true;
  why: string;
}

const PASSWORD: Candidate = {
  rule: 'password',
  takes: false,
  asks: true,
  why: 'The link asks for its password first; the steps below are for a visitor who knows it.',
};

function toSteps(candidates: Candidate[]): TraceStep[] {
  let taker: string | null = null;
  return candidates.map(({ rule, takes, asks = false, why }) => {
    if (taker !== null) return { rule, matched: false, why: `Not checked: "${taker}" decided before.` };
    if (takes) taker = rule;
    return { rule, matched: takes || asks, why };
  });
}

function statusSteps(link: CompiledLink, now: number): Candidate[] {
  const status = linkStatus(link, now);
  const step = (rule: LinkStatus, whyTaken: string, whyNot: string) => ({
    rule,
    takes: status === rule,
    why: status === rule ? whyTaken : whyNot,
  });
  const { startsAt, expiresAt, clicks, clickLimit } = link;
  const isOver = expiresAt !== null && now >= expiresAt;
  return [
    step('flagged', 'The link is flagged: it shows a warning page.', 'The link is not flagged.'),
    step('archived', 'The link is archived: it responds as if it did not exist.', 'The link is not archived.'),
    step(
      'scheduled',
      `The link starts at ${text(startsAt)}: until then it responds as if it did not exist.`,
      startsAt === null ? 'The link has no start.' : `The link started at ${text(startsAt)}.`,
    ),
    step(
      'expired',
      isOver ? `The link expired at ${text(expiresAt)}.` : `The link has had ${clicks} of ${clickLimit} clicks.`,
      'The link is neither expired nor over its click limit.',
    ),
  ];
}

function ruleSteps(link: CompiledLink, { visitor, now, request }: TraceInput): Candidate[] {
  const { country, query } = request;
  const subject: Subject = { visitor, now, country, parameters: parseParameters(query) };
  return link.routing.rules.map((rule) => {
    const failed = failedCondition(rule, subject);
    const why =
      failed === null
        ? 'All conditions hold.'
        : rule.exceptions.includes(failed)
          ? whyExcluded(failed, subject)
          : whyNotHeld(failed, subject);
    return { rule: nameOf(rule), takes: failed === null, why };
  });
}

function splitSteps(link: CompiledLink, { visitor, request }: TraceInput): Candidate[] {
  const taken = splitEntry(link, visitor, request.addressKey);
  const total = link.routing.split.reduce((sum, { weight }) => sum + weight, 0);
  return link.routing.split.map((entry) => {
    const percent = Math.round((entry.weight / total) * 1000) / 10;
    return {
      rule: nameOf(entry),
      takes: entry === taken,
      why:
        entry === taken
          ? `The split sends ${percent}% of visitors here. A visitor stays on one side, by address and User-Agent; a trace uses fixed ones, so other visitors may land elsewhere.`
          : `The split sends ${percent}% of visitors here, but this one elsewhere.`,
    };
  });
}

function nameOf({ ready }: { ready: { rule: string | null } }): string {
  return ready.rule ?? '';
}

function text(moment: number | null): string {
  return moment === null ? '' : new Date(moment).toISOString();
}
