import { OccasionalWarnings } from '../clicks/occasionalWarnings.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { sha256 } from '../kernel/secrets.ts';
import type { Blocklist } from './Blocklist.ts';
import { BlocklistFile } from './BlocklistFile.ts';

let setting: string | null = null;
let files: BlocklistFile[] = [];
let looking: Promise<unknown> = Promise.resolve();
let lookAgainMs = 0;

const warnings = new OccasionalWarnings((message) => log.warn(message));

/**
 * The lists of `blocklistFiles` as they are now, give or take `blocklistReloadSeconds`. Files are looked at when
 * somebody asks, so there is nothing to start or stop; many who ask at once share one look.
 */
export async function blocklists(): Promise<Blocklist[]> {
  if (config.blocklistFiles !== setting) open(config.blocklistFiles);
  if (files.length === 0) return [];
  if (performance.now() >= lookAgainMs) {
    lookAgainMs = performance.now() + config.blocklistReloadSeconds * 1000;
    looking = Promise.all(files.map((file) => file.refresh()));
  }
  await looking;
  return files.map((file) => file.list);
}

/** Changes with each line that `blocklists` gave last; null: there are no lists. */
export function blocklistFingerprint(): string | null {
  return files.length === 0 ? null : sha256(files.map(({ fingerprint }) => fingerprint).join(' '));
}

function open(paths: string | null): void {
  setting = paths;
  const each = (paths ?? '').split(',').map((path) => path.trim());
  files = each
    .filter((path) => path !== '')
    .map((path) => new BlocklistFile(path, (message) => warnings.warn(path, message)));
  lookAgainMs = 0;
}
