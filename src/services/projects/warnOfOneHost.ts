import { select } from '../../db/database.ts';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { isOnBaseHost } from '../../kernel/origins.ts';

/** Says that links share the host of our own pages, where no app may open them. */
export function warnOfOneHost(): void {
  if (!isOnBaseHost(config.linkDomain)) return;
  log.warn(
    `Apps are registered, and LINK_DOMAIN is the host of BASE_URL (${config.linkDomain}): links open no app (Universal Links, App Links) until LINK_DOMAIN is a host of its own or the project has a link domain.`,
  );
}

/** The same if any project has apps. */
export async function warnOfAppsOnOneHost(): Promise<void> {
  const [registered] = await select("SELECT id FROM projects WHERE CAST(apps AS TEXT) <> '[]' LIMIT 1");
  if (registered) warnOfOneHost();
}
