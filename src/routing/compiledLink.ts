import { hasRefusedScheme } from '../kernel/urls.ts';
import {
  type Choice,
  type CompiledRouting,
  compileChoice,
  compileRouting,
  type StoredRouting,
} from './compiledRouting.ts';
import { compileTarget, type Utm } from './destinationUrl.ts';
import type { Expired } from './outcome.ts';
import { fnv1a } from './stickyHash.ts';

interface Facts {
  id: string;
  projectId: string;
  teamId: string;
  domain: string;
  slug: string;
  destination: string;
  utm: Utm | null;
  expiredDestination: string | null;
  clickLimit: number | null;
  /** People only. Whoever counts raises it between two compilations. */
  clicks: number;
}

/** A link as stored, with its team: a plain object, no model instance. */
export interface LinkRow extends Facts {
  routing: StoredRouting | null;
  archivedAt: Date | null;
  flaggedAt: Date | null;
  startsAt: Date | null;
  expiresAt: Date | null;
}

/** A link prepared for redirects. Moments are milliseconds since the epoch. */
export interface CompiledLink extends Facts {
  routing: CompiledRouting;
  archivedAt: number | null;
  flaggedAt: number | null;
  startsAt: number | null;
  expiresAt: number | null;
  /** Taken when no rule and no split entry is. */
  fallback: Choice;
  expired: Expired;
  /** Hash of the id, from which the hash of a visitor goes on. */
  splitSeed: number;
}

/** Does once for each version of a link what does not depend on the visitor. Further fields of the row are kept. */
export function compileLink<Row extends LinkRow>(row: Row): CompiledLink & Omit<Row, keyof LinkRow> {
  return {
    ...row,
    routing: compileRouting(row.routing, row.utm),
    archivedAt: milliseconds(row.archivedAt),
    flaggedAt: milliseconds(row.flaggedAt) ?? (leadsToRefusedScheme(row) ? 0 : null),
    startsAt: milliseconds(row.startsAt),
    expiresAt: milliseconds(row.expiresAt),
    fallback: compileChoice(row.destination, row.utm, null),
    expired: {
      kind: 'expired',
      destination: row.expiredDestination && compileTarget(row.expiredDestination, null).url,
    },
    splitSeed: fnv1a(row.id),
  };
}

/** Schemes are refused that links had before: those stop at once, as if the scan had come by that will flag them. */
function leadsToRefusedScheme({ destination, expiredDestination, routing }: LinkRow): boolean {
  if (hasRefusedScheme(destination) || hasRefusedScheme(expiredDestination ?? '')) return true;
  const choices = [...(routing?.rules ?? []), ...(routing?.split ?? [])].map((choice) => choice.destination);
  const fallbacks = [routing?.ios?.fallback ?? '', routing?.android?.fallback ?? ''];
  return [...choices, ...fallbacks].some(hasRefusedScheme);
}

function milliseconds(moment: Date | null): number | null {
  return moment === null ? null : moment.getTime();
}
