import { type AppTarget, appTarget, type TargetApp } from './appTarget.ts';
import type { CompiledLink } from './compiledLink.ts';
import { failedCondition, type Subject } from './conditions.ts';
import { decide, type RequestFacts, splitEntry } from './decide.ts';
import { whyExcluded, whyNotHeld } from './explainCondition.ts';
import type { Outcome } from './outcome.ts';
import { parseParameters } from './queryString.ts';
import { type LinkStatus, linkStatus } from './status.ts';
import type { Visitor } from './visitor.ts';

/** One thing that the router asks about. */
export interface TraceStep {
  /** A status, `password`, the name of a rule or split entry as clicks show it, `destination`, or `open_app`. */
  rule: string;
  /** Whether it decided. `password` is met on the way and decides only when it is asked; `open_app` comes after all. */
  matched: boolean;
  /** A sentence. */
  why: string;
}

export interface Trace {
  /** Every step in the order of the router; those after the one that decided are there too, as not asked. */
  steps: TraceStep[];
  /**
   * `password`: the visitor is asked first; `destination` is where the right one leads. `app`: an intent, a store or
   * what the link has instead of it, without the token that a click would carry there.
   */
  outcome: { kind: Outcome['kind'] | 'password' | 'app'; destination: string | null };
}

export interface TraceQuestion {
  visitor: Visitor;
  /** Milliseconds since the epoch. */
  now: number;
  request: RequestFacts;
}

interface TracedLink extends CompiledLink {
  isProtected: boolean;
  /** Of its project. */
  apps?: readonly TargetApp[];
}

/** What `decide` and `appTarget` make of a link and a visitor, and why. */
export function trace(link: TracedLink, question: TraceQuestion): Trace {
  const { visitor, now, request } = question;
  const outcome = decide(link, visitor, now, request);
  const isAsked = link.isProtected && outcome.kind === 'redirect';
  const opening = openingOf(link, visitor, outcome);
  const location = opening?.location ?? null;
  const steps = inTurn([
    ...statusSteps(link, now),
    ...(link.isProtected ? [PASSWORD] : []),
    ...ruleSteps(link, question),
    ...splitSteps(link, question),
    { rule: 'destination', takes: true, why: 'Nothing before took the visitor.' },
  ]);
  return {
    steps: opening ? [...steps, { rule: 'open_app', matched: location !== null, why: opening.why }] : steps,
    outcome: {
      kind: isAsked ? 'password' : location !== null ? 'app' : outcome.kind,
      destination: location ?? ('destination' in outcome ? outcome.destination : null),
    },
  };
}

/** What a link that opens apps does once it is known where it leads on the web; null for other links. */
function openingOf(link: TracedLink, visitor: Visitor, outcome: Outcome): AppTarget | null {
  const { routing, apps = [] } = link;
  if (routing.apps === null) return null;
  if (outcome.kind !== 'redirect') return { location: null, why: `Not asked: the link is ${outcome.kind}.` };
  const { destination: web } = outcome;
  const carried = { token: null, pageUrl: null, isReturning: false };
  return appTarget({ visitor, apps, routing: routing.apps, link, web, ...carried });
}

/** A step as if it were asked. `takes`: no later one is; `asks`: it holds the visitor up, and the router goes on. */
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

function inTurn(candidates: Candidate[]): TraceStep[] {
  let taker: string | null = null;
  return candidates.map(({ rule, takes, asks = false, why }) => {
    if (taker !== null) return { rule, matched: false, why: `Not asked: "${taker}" came before.` };
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
    step('archived', 'The link is archived: it answers as if it did not exist.', 'The link is not archived.'),
    step(
      'scheduled',
      `The link starts at ${text(startsAt)}: until then it answers as if it did not exist.`,
      startsAt === null ? 'The link has no start.' : `The link started at ${text(startsAt)}.`,
    ),
    step(
      'expired',
      isOver ? `The link expired at ${text(expiresAt)}.` : `The link has had ${clicks} of ${clickLimit} clicks.`,
      'The link is neither expired nor over its click limit.',
    ),
  ];
}

function ruleSteps(link: CompiledLink, { visitor, now, request }: TraceQuestion): Candidate[] {
  const { country, query } = request;
  const subject: Subject = { visitor, now, country, parameters: parseParameters(query) };
  return link.routing.rules.map((rule) => {
    const failed = failedCondition(rule, subject);
    const why =
      failed === null
        ? 'Every condition holds.'
        : rule.exceptions.includes(failed)
          ? whyExcluded(failed, subject)
          : whyNotHeld(failed, subject);
    return { rule: nameOf(rule), takes: failed === null, why };
  });
}

function splitSteps(link: CompiledLink, { visitor, request }: TraceQuestion): Candidate[] {
  const taken = splitEntry(link, visitor, request.addressKey);
  const total = link.routing.split.reduce((sum, { weight }) => sum + weight, 0);
  return link.routing.split.map((entry) => {
    const percent = Math.round((entry.weight / total) * 1000) / 10;
    return {
      rule: nameOf(entry),
      takes: entry === taken,
      why:
        entry === taken
          ? `The split sends ${percent} % of visitors here. Each stays on one side, by address and agent, of which a trace has fixed ones: others may land elsewhere.`
          : `The split sends ${percent} % of visitors here, and this one elsewhere.`,
    };
  });
}

function nameOf({ ready }: { ready: { rule: string | null } }): string {
  return ready.rule ?? '';
}

function text(moment: number | null): string {
  return moment === null ? '' : new Date(moment).toISOString();
}
