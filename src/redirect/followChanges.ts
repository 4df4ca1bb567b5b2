import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { signals } from '../kernel/signals.ts';
import type { ChangeStream } from './ChangeStream.ts';
import { loadDomainApps, loadOwners } from './domainApps.ts';
import { loadDomainsNamed } from './linkDomains.ts';
import { loadRowsAt } from './loadLink.ts';
import { type SharedApps, type StateLine, sealed } from './snapshotLines.ts';

/** Pause between two reads, and what one reads: 2000 links a second, some 40 ms of the store. */
const PAUSE_MS = 250;
const MOST_AT_ONCE = 500;
const RETRY_MS = 1000;
const NEVER_MS = 2 ** 31 - 1;
/** Changed things that wait to be read. Beyond, a whole snapshot costs less. */
const MOST_WAITING = 20_000;

/** What was announced as changed and is to be read from the store. Each kind is read by itself. */
class Changed {
  readonly links = new Set<string>();
  readonly domains = new Set<string>();
  readonly projects = new Set<string>();
  /** The apps of the default link domain may be those of a changed project. */
  hasShared = false;

  get size(): number {
    return this.links.size + this.domains.size + this.projects.size + (this.hasShared ? 1 : 0);
  }

  clear(): void {
    for (const kind of [this.links, this.domains, this.projects]) kind.clear();
    this.hasShared = false;
  }
}

/**
 * Appends what this process hears of changes: at once that something has changed, and a little later how, as far as the store can be
 * asked. `onFlood`: more has changed than is read; a snapshot has to say how.
 */
export function followChanges(stream: ChangeStream, onFlood: () => void): { stop(): Promise<void> } {
  const changed = new Changed();
  let pauseMs = NEVER_MS;
  const read = async () => {
    pauseMs = PAUSE_MS;
    await readSome(changed, stream);
    if (changed.size === 0) pauseMs = NEVER_MS;
  };
  const loop = startLoop(
    read,
    () => pauseMs,
    (error) => {
      pauseMs = RETRY_MS;
      log.debug({ err: error }, 'changed links could not be read for the snapshot');
    },
  );
  const note = (kind: Set<string>, name: string) => {
    if (changed.size >= MOST_WAITING) {
      changed.clear();
      onFlood();
    }
    kind.add(name);
    if (pauseMs === NEVER_MS) loop.wake();
  };
  const unsubscribe = [
    signals.on('link', (address) => {
      stream.append({ changed: address });
      note(changed.links, address);
    }),
    signals.on('domain', (hostname) => {
      stream.append({ changedDomain: hostname });
      note(changed.domains, hostname);
    }),
    signals.on('project', (id) => {
      stream.append({ changedProject: id });
      changed.hasShared = true;
      note(changed.projects, id);
    }),
  ];
  return {
    async stop() {
      for (const end of unsubscribe) end();
      await loop.stop();
    },
  };
}

async function readSome(changed: Changed, stream: ChangeStream): Promise<void> {
  await readKind(changed.projects, stream, async (ids) => {
    const owners = await loadOwners(ids);
    return new Map(ids.map((project) => [project, { project, owner: owners.get(project) ?? null }]));
  });
  await readShared(changed, stream);
  await readKind(changed.domains, stream, async (hostnames) => {
    const domains = await loadDomainsNamed(hostnames);
    return new Map(domains.map((domain) => [domain.hostname, { domain }]));
  });
  await readKind(changed.links, stream, async (addresses) => {
    const rows = await loadRowsAt(addresses);
    return new Map(rows.map((link) => [`${link.domain}/${link.slug}`, { link: sealed(link) }]));
  });
}

type Read = (names: string[]) => Promise<Map<string, StateLine>>;

/** What changes while it is read is not written, but read once more. So is everything when the store does not answer. */
async function readKind(waiting: Set<string>, stream: ChangeStream, read: Read): Promise<void> {
  const names = [...waiting].slice(0, MOST_AT_ONCE);
  if (names.length === 0) return;
  for (const name of names) waiting.delete(name);
  try {
    const found = await read(names);
    stream.append(...[...found].flatMap(([name, line]) => (waiting.has(name) ? [] : [line])));
  } catch (error) {
    for (const name of names) waiting.add(name);
    throw error;
  }
}

async function readShared(changed: Changed, stream: ChangeStream): Promise<void> {
  if (!changed.hasShared) return;
  changed.hasShared = false;
  try {
    const shared = await loadSharedApps();
    if (!changed.hasShared) stream.append({ shared });
  } catch (error) {
    changed.hasShared = true;
    throw error;
  }
}

/** The apps that open links of the default link domain, as they are now. */
export async function loadSharedApps(): Promise<SharedApps> {
  const { linkDomain: hostname, sharedDomainApps: whose } = config;
  return { hostname, whose, apps: await loadDomainApps(hostname, null) };
}
