import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FirstAccount } from '../src/accounts/firstStart.ts';
import { config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';

/**
 * Shows the account that the first start created: in the terminal, otherwise in a file that only this user can read,
 * because output would end up in a log. Throws when the file cannot be written.
 */
export async function showFirstAccount(account: FirstAccount): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(
      `${LINE}\n  Welcome. Keep this somewhere safe: it is not shown again.\n\n${described(account)}${LINE}\n\n`,
    );
    return;
  }
  const file = path.resolve(config.dataDir, 'first-account');
  await rm(file, { force: true });
  await writeFile(file, described(account), { mode: 0o600, flag: 'wx', flush: true });
  const said = `the first account, its password and its keys are in ${file}; store them safely and delete the file`;
  log.info({ file }, said);
  if (!log.isLevelEnabled('info')) process.stdout.write(`${said}\n`);
}

const LINE = '-'.repeat(76);

function described({ email, password, secretKey, publishableKey }: FirstAccount): string {
  return `  Sign in at       ${config.baseUrl}${OWN_PATHS.dashboard}
  Email            ${email}
  Password         ${password}
  Secret key       ${secretKey}
  Publishable key  ${publishableKey}

  Create your first link, at the dashboard or by the API:

  curl ${config.baseUrl}${OWN_PATHS.api}/links \\
    -H "Authorization: Bearer ${secretKey}" \\
    -H "Content-Type: application/json" \\
    -d '{"destination": "https://example.com", "slug": "hello"}'
`;
}

/** Logs the addresses of this installation, without secrets. */
export function printBanner(): void {
  const store = config.databaseUrl ? 'PostgreSQL' : `SQLite and PGlite in ${path.resolve(config.dataDir)}`;
  log.info(
    {
      dashboard: `${config.baseUrl}${OWN_PATHS.dashboard}`,
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
