import { config } from '../../kernel/config.ts';
import { type FieldProblem, validationFailed } from '../../kernel/errors.ts';
import { baseHost, canonicalHost } from '../../kernel/origins.ts';
import { RESERVED_SEGMENTS } from '../../kernel/ownPaths.ts';
import type { Project } from '../../models/Project.ts';
import { domainProblem } from '../domains/usableDomains.ts';
import { destinationsOf } from './destinationsOf.ts';
import type { LinkInput } from './linkInput.ts';

/** Schemes that every project may send visitors to; the others are those that its apps registered. */
const WEB_SCHEMES = ['http:', 'https:'];

/**
 * Checks what depends on the project: schemes of its apps, its domains, slugs reserved on the base host, order of the
 * times. Throws `validation_failed` with every bad field. The forms of the fields were checked at the door.
 */
export function checkLink(project: Project, input: LinkInput, { domain, usable, current }: LinkPlace): void {
  const problems = [
    ...destinationProblems(project, input),
    ...domainProblems(input, usable),
    ...slugProblems(input, domain),
    ...timeProblems(input, current),
  ];
  if (problems.length > 0) throw validationFailed(problems);
}

interface LinkPlace {
  domain: string;
  /** The domains that links of the project may have, as `usableDomains` gives them. */
  usable: string[];
  /** As the link is now. */
  current?: TimeSpan;
}

interface TimeSpan {
  startsAt: Date | null;
  expiresAt: Date | null;
}

/** The domain a new link gets, in its canonical form. */
export function linkDomain(project: Project, input: LinkInput): string {
  return (input.domain ? canonicalHost(input.domain) : null) ?? project.defaultDomain ?? config.linkDomain;
}

function destinationProblems(project: Project, input: LinkInput): FieldProblem[] {
  const schemes = new Set([...WEB_SCHEMES, ...project.apps.flatMap((app) => (app.scheme ? [`${app.scheme}:`] : []))]);
  return destinationsOf(input)
    .filter(({ url }) => URL.canParse(url) && !schemes.has(new URL(url).protocol))
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
  const segment = input.slug?.split('/')[0];
  if (!segment || domain !== baseHost() || !RESERVED_SEGMENTS.has(segment)) return [];
  return [{ path: 'slug', message: `"${segment}" is used by this service itself on ${domain}; choose another.` }];
}

function timeProblems(input: LinkInput, current?: TimeSpan): FieldProblem[] {
  const starts = input.startsAt === undefined ? current?.startsAt : input.startsAt;
  const expires = input.expiresAt === undefined ? current?.expiresAt : input.expiresAt;
  if (!starts || !expires || starts < expires) return [];
  return [{ path: 'expires_at', message: 'Must be later than starts_at.' }];
}
