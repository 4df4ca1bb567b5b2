import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { modelOfRow } from '../db/connection/internals.ts';
import { now } from '../kernel/clock.ts';
import { errorOfDryRun } from '../kernel/dryRun.ts';
import { CodedError, type FieldProblem, notFound } from '../kernel/errors.ts';
import { shortUrl } from '../kernel/origins.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import type { Trace } from '../routing/trace.ts';
import { localProblems } from '../scan/scan.ts';
import { draftConflicts } from './addressConflicts.ts';
import { archivedColumn } from './changeLinks.ts';
import { type LinkChange, linkColumns } from './linkInput.ts';
import { ownLink } from './linkReferences.ts';
import { newLinkValues } from './linkStore.ts';
import { urlsOf } from './linkUrls.ts';
import { linksTo } from './list/sameDestination.ts';
import { linkDomain, prepareChanges, prepareLinks } from './prepareLinks.ts';
import { type TracedVisitor, traceVisitor } from './traceService.ts';

/** The links with the same destination that are shown: enough to see that there are some. */
const MAX_DUPLICATES = 5;

/** Fields that the router reads, as the wire spells them. A trace without one of them would mislead. */
const ROUTED_FIELDS = [
  'destination',
  'routing',
  'utm',
  'starts_at',
  'expires_at',
  'expired_destination',
  'click_limit',
];

/** Instead of the random id and slug of a new link: with them a split would choose anew for each keystroke. */
const UNSAVED = 'draft';

/** What somebody is writing: a new link, or changes to one. */
export interface DraftInput {
  projectId: string;
  /** The link that is changed, by its id or `ext_<external id>`; null: a new one. */
  linkId?: string | null;
  input: LinkChange;
  /** Fields that broke their rules and are left out of `input`, as the wire spells them. */
  illFormed: ReadonlySet<string>;
  visitor?: TracedVisitor | null;
}

/** What a draft would become. */
export interface LinkDraft {
  /** What `createLink` or `updateLink` would refuse now, by fields of the wire; an empty path: nothing of the input. */
  problems: FieldProblem[];
  slugTaken: boolean;
  /** Null while the slug is still to be generated, or the address is not valid. */
  shortUrl: string | null;
  /** Null while the draft lacks what the router needs. */
  trace: Trace | null;
  project: Project;
  /** The destination of the draft, and the id of the link that is changed. */
  destination: string | null;
  linkId: string | null;
}

/**
 * Checks a link that is being written by everything that creating or changing it checks, and traces a visitor through it.
 * Writes nothing, asks no scan provider and uses up no quota, so viewers may ask, in survival mode too. Throws `not_found`.
 */
export async function draftLink(principal: Principal, draft: DraftInput): Promise<LinkDraft> {
  const project = await authorizeProject(principal, 'links:read', draft.projectId);
  const { linkId, input, illFormed } = draft;
  const current = linkId ? await ownLink(project.id, linkId) : null;
  if (current === undefined) throw notFound('link');
  const address = addressOf(project, draft, current);
  const [refused, listed, conflicts] = await Promise.all([
    refusedFields(project, draft, current),
    localProblems(urlsOf(input)),
    draftConflicts(project.id, current, { ...address, externalId: input.externalId }),
  ]);
  const problems = firstOfEachField([...refused, ...listed, ...conflicts.problems]);
  const bad = new Set([...illFormed, ...problems.map(({ path }) => path.split('.')[0] ?? '')]);
  const { domain, slug } = address;
  return {
    problems,
    slugTaken: conflicts.isSlugTaken,
    shortUrl: domain && slug && !bad.has('domain') && !bad.has('slug') ? shortUrl(domain, slug) : null,
    trace: ROUTED_FIELDS.some((field) => bad.has(field))
      ? null
      : traceVisitor(draftedLink(project, draft, current), project, draft.visitor ?? {}),
    project,
    destination: illFormed.has('destination') ? null : (input.destination ?? current?.destination ?? null),
    linkId: current?.id ?? null,
  };
}

/** Other links of the project with the destination of the draft, newest first. */
export async function duplicatesOf({ project, destination, linkId }: LinkDraft): Promise<Link[]> {
  if (!destination) return [];
  // One more, because the edited link may be among them.
  const links = await linksTo(project.id, destination, MAX_DUPLICATES + 1);
  return links.filter(({ id }) => id !== linkId).slice(0, MAX_DUPLICATES);
}

/** The address that the draft would have, without the parts that are not valid. */
function addressOf(
  project: Project,
  { input, illFormed }: DraftInput,
  current: Link | null,
): { domain: string | null; slug: string | null } {
  const keeps = current && !input.domain;
  return {
    domain: illFormed.has('domain') ? null : keeps ? current.domain : linkDomain(project, input),
    slug: illFormed.has('slug') ? null : (input.slug ?? current?.slug ?? null),
  };
}

/** What the preparation of a creation or a change refuses. It ends before it scans and hashes. */
async function refusedFields(
  project: Project,
  { input, illFormed }: DraftInput,
  current: Link | null,
): Promise<FieldProblem[]> {
  const refusal = await errorOfDryRun(async () => {
    const [prepared] = current
      ? await prepareChanges(project, [{ link: current, input }])
      : await prepareLinks(project, [input]);
    if (prepared instanceof CodedError) throw prepared;
  });
  if (refusal !== null && !(refusal instanceof CodedError)) throw refusal;
  const isMissing = !current && input.destination === undefined && !illFormed.has('destination');
  return [
    ...(isMissing ? [{ path: 'destination', message: 'Is required.' }] : []),
    ...(refusal ? (refusal.fields ?? [{ path: '', message: refusal.message }]) : []),
  ];
}

/** The link as the draft would make it, which is never stored. */
function draftedLink(project: Project, { input }: DraftInput, current: Link | null): Link {
  const isProtected = input.password === undefined ? current?.passwordHash : input.password;
  // No hash is made for a draft; the router only asks whether there is one.
  const passwordHash = isProtected ? '' : null;
  const domain = input.domain || !current ? linkDomain(project, input) : current.domain;
  if (!current) {
    const values = newLinkValues(project, { input, domain, isScanned: true, passwordHash }, null, now());
    return modelOfRow(Link, { ...values, id: UNSAVED, slug: input.slug ?? UNSAVED });
  }
  const address = { domain, slug: input.slug ?? current.slug };
  return current.set({ ...linkColumns(input), ...address, passwordHash, ...archivedColumn(current, input.archived) });
}

/** Further problems of a field are mostly consequences of its first. */
function firstOfEachField(problems: FieldProblem[]): FieldProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}
