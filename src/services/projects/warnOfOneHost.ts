import { select } from '../../db/database.ts';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { baseHost } from '../../kernel/origins.ts';

/** Says that links and the page that leads to apps share a host, which keeps iOS from opening apps from that page. */
export function warnOfOneHost(): void {
  if (config.linkDomain !== baseHost()) return;
  log.warn(
    `Apps are registered, and LINK_DOMAIN is the host of BASE_URL (${config.linkDomain}): Universal Links open apps only from a page on another host. Set LINK_DOMAIN to a host of its own.`,
  );
}

/** The same if any project has apps. */
export async function warnOfAppsOnOneHost(): Promise<void> {
  const [registered] = await select("SELECT id FROM projects WHERE CAST(apps AS TEXT) <> '[]' LIMIT 1");
  if (registered) warnOfOneHost();
}
