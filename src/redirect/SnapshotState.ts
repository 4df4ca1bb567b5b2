import { config } from '../kernel/config.ts';
import { isOnBaseHost } from '../kernel/origins.ts';
import type { App } from '../models/Project.ts';
import type { LinkDomain } from './linkDomains.ts';
import { compileRow, type RedirectLink, type RedirectRow } from './loadLink.ts';
import { type Line, type ProjectOwner, revived, type SharedApps } from './snapshotLines.ts';

/** What opens the links of a domain; `projectId` is null for the default link domain. */
export interface DomainApps {
  hostname: string;
  projectId: string | null;
  apps: App[];
}

/** Links, domains and their apps as an earlier process knew them. Links stand in the order in which they are to be kept. */
export interface Snapshot {
  links: RedirectLink[];
  domains: LinkDomain[];
  apps: DomainApps[];
}

/** A value, and the number of the line that said so. */
interface Said<Value> {
  value: Value;
  line: number;
}

/**
 * What follows from the lines of a snapshot and the changes after it. Something that has changed is unknown until a later line says
 * how: it may be gone, and no old form of it is better than the answer that the store is away.
 */
export class SnapshotState {
  /** By address. Null keeps the place of a changed one. */
  readonly #links = new Map<string, Said<RedirectRow> | null>();
  readonly #domains = new Map<string, LinkDomain>();
  readonly #owners = new Map<string, Said<ProjectOwner | null>>();
  readonly #changedProjects = new Set<string>();
  #shared: SharedApps | null = null;
  #line = 0;

  apply(said: Line): void {
    this.#line += 1;
    if ('link' in said) this.#links.set(addressOf(said.link), this.#now(said.link));
    else if ('changed' in said) this.#forgetLink(said.changed);
    else if ('domain' in said) this.#domains.set(said.domain.hostname, said.domain);
    else if ('changedDomain' in said) this.#domains.delete(said.changedDomain);
    else if ('project' in said) this.#setOwner(said.project, said.owner);
    else if ('changedProject' in said) this.#forgetProject(said.changedProject);
    else if ('shared' in said) this.#shared = said.shared;
  }

  /** Throws when a hash of a password cannot be unsealed. */
  result(): Snapshot {
    const links: RedirectLink[] = [];
    for (const said of this.#links.values()) {
      const owner = said && this.#ownerOf(said);
      if (owner) links.push(compileRow(revived({ ...said.value, owner })));
    }
    return { links, domains: [...this.#domains.values()], apps: [...this.#projectApps(), ...this.#sharedApps()] };
  }

  #forgetLink(address: string): void {
    if (this.#links.has(address)) this.#links.set(address, null);
  }

  #setOwner(projectId: string, owner: ProjectOwner | null): void {
    this.#owners.set(projectId, this.#now(owner));
    this.#changedProjects.delete(projectId);
  }

  /** Its apps may be among those of the default link domain. */
  #forgetProject(projectId: string): void {
    this.#changedProjects.add(projectId);
    this.#shared = null;
  }

  /** The owner as the later one of two lines says; null if the project is deleted, or nothing is known of it. */
  #ownerOf({ value: { projectId, owner }, line }: Said<RedirectRow>): ProjectOwner | null {
    if (this.#changedProjects.has(projectId)) return null;
    const said = this.#owners.get(projectId);
    return said && said.line > line ? said.value : owner;
  }

  *#projectApps(): Iterable<DomainApps> {
    for (const { hostname, projectId } of this.#domains.values()) {
      const said = projectId === null || this.#changedProjects.has(projectId) ? null : this.#owners.get(projectId);
      if (said) yield { hostname, projectId, apps: isOnBaseHost(hostname) ? [] : (said.value?.apps ?? []) };
    }
  }

  /** Nothing, if the settings have changed since. */
  *#sharedApps(): Iterable<DomainApps> {
    if (this.#shared?.whose !== config.sharedDomainApps || this.#shared.hostname !== config.linkDomain) return;
    const { hostname, apps } = this.#shared;
    yield { hostname, projectId: null, apps: isOnBaseHost(hostname) ? [] : apps };
  }

  #now<Value>(value: Value): Said<Value> {
    return { value, line: this.#line };
  }
}

function addressOf({ domain, slug }: RedirectRow): string {
  return `${domain}/${slug}`;
}
