import { exhaustedQuota } from '../access/accountLimits.ts';
import { domainProblem, usableDomains } from '../domains/usableDomains.ts';
import { config } from '../kernel/config.ts';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError, type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { baseHost, canonicalHost, isOwnPath } from '../kernel/origins.ts';
import { mapYielding } from '../kernel/yield.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { scanUrls } from '../scan/scan.ts';
import type { Retagging } from './decideTags.ts';
import type { LinkChange, LinkInput } from './linkInput.ts';
import { hashLinkPasswords, type WhenBusy } from './linkPasswords.ts';
import { destinationsOf, urlsOf } from './linkUrls.ts';

/** A new link that passed every check that is possible before its transaction. */
export interface PreparedLink {
  /** `archived` makes the link archived from the start. */
  input: LinkChange;
  domain: string;
  /** False: a scan provider could not be asked about its URLs. */
  isScanned: boolean;
  passwordHash?: string | null;
}

/**
 * Checks and scans new links of a project and hashes their passwords, before their transaction. Returns a prepared link or
 * a refusal for each, in their order.
 */
export async function prepareLinks(
  project: Project,
  inputs: LinkChange[],
  whenBusy: WhenBusy = 'refuse',
): Promise<(PreparedLink | CodedError)[]> {
  const exhausted = await exhaustedQuota(project.teamId);
  const usable = await usableDomains(
    project.id,
    inputs.map(({ domain }) => domain),
  );
  const prepared = await mapYielding(inputs, (input) => {
    const checked = prepareLink(project, input, usable);
    return exhausted && !(checked instanceof CodedError) ? exhausted : checked;
  });
  return scanAndHash(project, prepared, whenBusy);
}

function prepareLink(project: Project, input: LinkChange, usable: string[]): PreparedLink | CodedError {
  const domain = linkDomain(project, input);
  try {
    checkLink(project, input, { domain, usable });
    return { input, domain, isScanned: false };
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}

/** A change that passed every check that is possible before its transaction. */
export interface PreparedChange {
  linkId: string;
  input: LinkChange;
  /** Only the parts of the address that were sent: another change may move the link before it is locked. */
  address: { domain?: string; slug?: string };
  /** False: a scan provider could not be asked about its new URLs. */
  isScanned: boolean;
  /** Instead of `input.tags`: what is added to the tags of the link as it is when it is locked, and taken from them. */
  retagging?: Retagging;
  /** Null removes the password; undefined keeps it. */
  passwordHash?: string | null;
  /** The link is only changed if this is still its `updatedAt`. */
  ifUpdatedAt?: Date | null;
}

/**
 * Checks and scans changes of a project's links and hashes new passwords, before their transaction. Returns a prepared
 * change or a refusal for each, in their order.
 */
export async function prepareChanges(
  project: Project,
  changes: { link: Link; input: LinkChange }[],
  whenBusy: WhenBusy = 'refuse',
): Promise<(PreparedChange | CodedError)[]> {
  const usable = await usableDomains(
    project.id,
    changes.map(({ input }) => input.domain),
  );
  const prepared = await mapYielding(changes, ({ link, input }) => prepareChange(project, link, input, usable));
  return scanAndHash(project, prepared, whenBusy);
}

/** The slow part: asks the scan providers and hashes passwords. Inputs that were refused are left out; a dry run ends before. */
async function scanAndHash<Prepared extends PreparedLink | PreparedChange>(
  project: Project,
  prepared: (Prepared | CodedError)[],
  whenBusy: WhenBusy,
): Promise<(Prepared | CodedError)[]> {
  if (prepared.some((one) => !(one instanceof CodedError))) endOfChecks();
  return hashLinkPasswords(project.teamId, await scanInputs(prepared), whenBusy);
}

function prepareChange(
  project: Project,
  found: Link,
  input: LinkChange,
  usable: string[],
): PreparedChange | CodedError {
  const address = {
    ...(input.domain ? { domain: linkDomain(project, input) } : {}),
    ...(input.slug ? { slug: input.slug } : {}),
  };
  try {
    const domain = address.domain ?? found.domain;
    checkLink(project, { ...input, slug: input.slug ?? found.slug }, { domain, usable, current: found });
    return { linkId: found.id, input, address, isScanned: false };
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}

/** Schemes that every project may redirect to, besides those that its apps registered. */
const WEB_SCHEMES = ['http:', 'https:'];

/**
 * Checks what depends on the project: schemes of its apps, its domains, slugs reserved on the base host, the order of start
 * and end. Throws `validation_failed` with every bad field. The schema has checked the format of each field.
 */
function checkLink(project: Project, input: LinkInput, { domain, usable, current }: LinkContext): void {
  const problems = [
    ...destinationProblems(project, input),
    ...domainProblems(input, usable),
    ...slugProblems(input, domain),
    ...timeProblems(input, current),
  ];
  if (problems.length > 0) throw validationFailed(problems);
}

interface LinkContext {
  domain: string;
  /** The domains that links of the project may have, as `usableDomains` returns them. */
  usable: string[];
  /** The link before a change. */
  current?: TimeSpan;
}

interface TimeSpan {
  startsAt: Date | null;
  expiresAt: Date | null;
}

/** The domain of a new link in canonical form: the one that was sent, or the project's default. */
export function linkDomain(project: Project, input: LinkInput): string {
  return (input.domain ? canonicalHost(input.domain) : null) ?? project.defaultDomain ?? config.linkDomain;
}

function destinationProblems(project: Project, input: LinkInput): FieldProblem[] {
  const schemes = new Set([...WEB_SCHEMES, ...project.apps.flatMap((app) => (app.scheme ? [`${app.scheme}:`] : []))]);
  return destinationsOf(input)
    .filter(({ url }) => {
      const parsed = URL.parse(url);
      return parsed !== null && !schemes.has(parsed.protocol);
    })
    .map(({ path }) => ({
      path,
      message: 'Must be an http or https URL, or use the scheme of one of the apps of the project.',
    }));
}

function domainProblems(input: LinkInput, usable: string[]): FieldProblem[] {
  const message = input.domain ? domainProblem(input.domain, usable) : null;
  return message ? [{ path: 'domain', message }] : [];
}

function slugProblems(input: LinkInput, domain: string): FieldProblem[] {
  const { slug } = input;
  if (!slug || domain !== baseHost() || !isOwnPath(`/${slug}`)) return [];
  const used = isOwnPath(`/${slug.split('/')[0]}`) ? slug.split('/')[0] : slug;
  return [{ path: 'slug', message: `"${used}" is used by this service itself on ${domain}; choose another.` }];
}

function timeProblems(input: LinkInput, current?: TimeSpan): FieldProblem[] {
  const starts = input.startsAt === undefined ? current?.startsAt : input.startsAt;
  const expires = input.expiresAt === undefined ? current?.expiresAt : input.expiresAt;
  if (!starts || !expires || starts < expires) return [];
  return [{ path: 'expires_at', message: 'Must be later than starts_at.' }];
}

/** Scans the URLs of the inputs that passed so far. An input with a dangerous URL becomes a refusal. */
async function scanInputs<One extends { input: LinkInput; isScanned: boolean }>(
  checked: (One | CodedError)[],
): Promise<(One | CodedError)[]> {
  const results = await scanUrls(
    await mapYielding(checked, (one) => (one instanceof CodedError ? [] : urlsOf(one.input))),
  );
  return checked.map((one, index) => {
    const scan = results[index];
    if (one instanceof CodedError || !scan) return one;
    return scan.refusal ?? { ...one, isScanned: scan.isComplete };
  });
}
