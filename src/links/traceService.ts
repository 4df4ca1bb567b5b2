import type { Principal } from '../access/principal.ts';
import { clock } from '../kernel/clock.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import type { Device, Platform } from '../routing/agent.ts';
import { compileLink, type StoredRouting } from '../routing/compiledLink.ts';
import { languageOf, referrerHostOf } from '../routing/conditionValues.ts';
import { countryOf } from '../routing/countries.ts';
import { type Trace, trace } from '../routing/trace.ts';
import type { Visitor } from '../routing/visitor.ts';
import { findLink } from './linkReferences.ts';

/** The visitor that a trace simulates; fields that are missing are unknown. */
export interface TracedVisitor {
  platform?: Platform | null;
  device?: Device | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
  language?: string | null;
  /** The time of the visit; null: now. */
  at?: Date | null;
  /** Raw, with or without its `?`. */
  query?: string | null;
  referrerHost?: string | null;
}

/** Replaces the visitor's address and user agent, which choose the entry of a split. */
const TRACED = { addressKey: 'trace', agentHash: 0 };

/** What the router would do with this visitor, and why. Records nothing. Throws `not_found`. */
export async function traceLink(principal: Principal, id: string, visitor: TracedVisitor): Promise<Trace> {
  const { link, project } = await findLink(principal, 'links:read', id);
  return traceVisitor(link, project, visitor);
}

/** The same for a link that may not be stored. */
export function traceVisitor(link: Link, project: Project, visitor: TracedVisitor): Trace {
  const compiled = compileLink({
    ...(link.get() as Link),
    teamId: project.teamId,
    routing: link.routing as StoredRouting | null,
    isProtected: link.passwordHash !== null,
    apps: project.apps,
  });
  return trace(compiled, {
    visitor: asVisitor(visitor),
    now: visitor.at?.getTime() ?? clock.now(),
    request: {
      query: (visitor.query ?? '').replace(/^\?/, ''),
      country: read(countryOf, visitor.country),
      addressKey: TRACED.addressKey,
    },
  });
}

function asVisitor({ platform, device, language, referrerHost }: TracedVisitor): Visitor {
  const isPhone = platform === 'ios' || platform === 'android';
  return {
    platform: platform ?? 'other',
    device: device ?? (isPhone ? 'mobile' : 'desktop'),
    osVersion: null,
    deviceModel: null,
    browser: null,
    language: read(languageOf, language),
    referrerHost: read(referrerHostOf, referrerHost),
    trafficClass: 'human',
    trafficReason: null,
    isPreviewFetcher: false,
    inApp: null,
    agentHash: TRACED.agentHash,
  };
}

/** As conditions write it, so as a visitor brings it. */
function read(as: (text: string) => string | null, given: string | null | undefined): string | null {
  return given ? (as(given) ?? given.toLowerCase()) : null;
}
