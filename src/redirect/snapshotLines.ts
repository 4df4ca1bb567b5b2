import type { Config } from '../kernel/config.ts';
import { seal, unseal } from '../kernel/secrets.ts';
import { VERSION } from '../kernel/version.ts';
import type { App } from '../models/Project.ts';
import type { LinkDomain } from './linkDomains.ts';
import type { RedirectRow } from './loadLink.ts';

/** Raise it when a line gets another shape. */
export const FORMAT = `2 of ${VERSION}`;

/** What links and association files have of a live project. */
export interface ProjectOwner {
  teamId: string;
  apps: App[];
}

/** The apps that open links of the default link domain, and whose they were to be then. */
export interface SharedApps {
  hostname: string;
  whose: Config['sharedDomainApps'];
  apps: App[];
}

/** The first line of a snapshot. `at`: when it was begun. Changes heard since are in streams of this generation and later ones. */
export interface Start {
  start: string;
  generation: number;
  at: string;
}

/** What both files say of things as they are in the store. `owner`: null if the project is deleted. */
export type StateLine =
  | { domain: LinkDomain }
  | { project: string; owner: ProjectOwner | null }
  | { shared: SharedApps }
  | { follows?: number; link: RedirectRow };

/**
 * What a stream says of things that have changed, before it says how: nothing is to be made of what was said of them before.
 * `changed`: addresses of links as `domain/slug`.
 */
export type ChangeLine = { changed: string } | { changedDomain: string } | { changedProject: string };

/** A line of a snapshot or of a stream of changes, as JSON. `end`: the number of links. */
export type Line = Start | StateLine | ChangeLine | { end: number };

export function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A link as it is written. Hashes of passwords can be guessed at leisure by whoever has the file, so they are sealed. */
export function sealed(link: RedirectRow): RedirectRow {
  const { id, passwordHash } = link;
  return { ...plain(link), passwordHash: passwordHash && seal(passwordHash, placeOf(id)) };
}

/** A link as it was before it was written. Throws like `unseal`. */
export function revived(link: RedirectRow): RedirectRow {
  const time = (value: unknown) => (value === null ? null : new Date(value as string));
  return {
    ...link,
    archivedAt: time(link.archivedAt),
    flaggedAt: time(link.flaggedAt),
    startsAt: time(link.startsAt),
    expiresAt: time(link.expiresAt),
    passwordHash: link.passwordHash && unseal(link.passwordHash, placeOf(link.id)),
  };
}

function placeOf(id: string): string {
  return `snapshot ${id}`;
}

/** Without what a model has beside its row. */
function plain(link: RedirectRow): RedirectRow {
  const { id, projectId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks, routing } = link;
  const { archivedAt, flaggedAt, startsAt, expiresAt, passwordHash, preview, owner, tagIds } = link;
  const routed = { id, projectId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks, routing };
  return { ...routed, archivedAt, flaggedAt, startsAt, expiresAt, passwordHash, preview, owner, tagIds };
}
