import path from 'node:path';
import { config } from './kernel/config.ts';
import { log } from './kernel/log.ts';
import { OWN_PATHS } from './kernel/ownPaths.ts';
import type { FirstAccount } from './services/accounts/firstStart.ts';

/** Shows what the first start made: once, beside the log, never again. */
export function showFirstAccount({ email, password, secretKey, publishableKey }: FirstAccount): void {
  process.stdout.write(`
----------------------------------------------------------------------------
  Welcome. This is shown once; keep it somewhere safe.

  E-mail           ${email}
  Password         ${password}
  Secret key       ${secretKey}
  Publishable key  ${publishableKey}

  Make a first link:

  curl ${config.baseUrl}${OWN_PATHS.api}/links \\
    -H "Authorization: Bearer ${secretKey}" \\
    -H "Content-Type: application/json" \\
    -d '{"destination": "https://example.com", "slug": "hello"}'
----------------------------------------------------------------------------

`);
}

/** Says where things are; no secrets. */
export function greet(): void {
  const store = config.databaseUrl ? 'PostgreSQL' : `SQLite and PGlite in ${path.resolve(config.dataDir)}`;
  log.info(
    {
      api: `${config.baseUrl}${OWN_PATHS.api}`,
      graphql: `${config.baseUrl}${OWN_PATHS.graphql}`,
      openapi: `${config.baseUrl}${OWN_PATHS.api}/openapi.json`,
      links: config.linkDomain,
      store,
      role: config.role,
    },
    'ready',
  );
}
