import { type CompiledLink, compileLink, type LinkRow } from '../../../src/routing/compiledLink.ts';
import { parseVisitor, type Visitor } from '../../../src/routing/visitor.ts';

/** 2026-06-01, the present of these tests. */
export const NOW = Date.UTC(2026, 5, 1);

/** A link as stored, without anything that was not asked for. */
export function storedLink(parts: Partial<LinkRow> = {}): LinkRow {
  return {
    id: 'lnk_01h455vb4pex5vsknk084sn02q',
    projectId: 'prj_01h455vb4pex5vsknk084sn02q',
    teamId: 'team_01h455vb4pex5vsknk084sn02q',
    domain: 'go.example.com',
    slug: 'spring',
    destination: 'https://example.com/',
    routing: null,
    utm: null,
    archivedAt: null,
    flaggedAt: null,
    startsAt: null,
    expiresAt: null,
    expiredDestination: null,
    clickLimit: null,
    clicks: 0,
    ...parts,
  };
}

export function compiled(parts: Partial<LinkRow> = {}): CompiledLink {
  return compileLink(storedLink(parts));
}

/** A person at a Linux desktop, but for the given parts. */
export function visitor(parts: Partial<Visitor> = {}): Visitor {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  return { ...parseVisitor({ userAgent }, 'GET'), ...parts };
}
