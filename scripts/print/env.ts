import { variableName } from '../../src/kernel/config.ts';
import { ACCESS_SETTINGS } from '../../src/kernel/settings/access.ts';
import { ACCOUNT_SETTINGS } from '../../src/kernel/settings/accounts.ts';
import { CLICK_SETTINGS } from '../../src/kernel/settings/clicks.ts';
import { HEALTH_SETTINGS } from '../../src/kernel/settings/health.ts';
import type { Setting } from '../../src/kernel/settings/kinds.ts';
import { LINK_SETTINGS } from '../../src/kernel/settings/links.ts';
import { MACHINE_SETTINGS } from '../../src/kernel/settings/machines.ts';
import { SERVER_SETTINGS } from '../../src/kernel/settings/server.ts';
import { SETTINGS } from '../../src/kernel/settings/table.ts';
import { WEBHOOK_SETTINGS } from '../../src/kernel/settings/webhooks.ts';

const SECTIONS: Record<string, Record<string, Setting<unknown>>> = {
  'Server and stores': SERVER_SETTINGS,
  'Rate limits and idempotency': ACCESS_SETTINGS,
  'Accounts, teams and mail': ACCOUNT_SETTINGS,
  'Links and their domains': LINK_SETTINGS,
  'Clicks, analytics and attribution': CLICK_SETTINGS,
  'Health checks': HEALTH_SETTINGS,
  Webhooks: WEBHOOK_SETTINGS,
  'Assistants and event streams': MACHINE_SETTINGS,
};

const NOTICE =
  '# Every setting with its default. Printed from src/kernel/settings by `npm run generate`; do not edit.\n';

/** Every setting with its default. Refuses to leave one out. */
export function printEnv(): string {
  const printed = Object.values(SECTIONS).flatMap(Object.keys);
  const missing = Object.keys(SETTINGS).filter((name) => !printed.includes(name));
  if (missing.length > 0) throw new Error(`No section holds ${missing.join(', ')}`);
  const sections = Object.entries(SECTIONS).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, setting]) => rowOf(name, setting));
    return [`# --- ${title} ---\n`, ...rows].join('\n');
  });
  return [NOTICE, ...sections].join('\n');
}

function rowOf(name: string, { about, shown }: Setting<unknown>): string {
  return `# ${about}\n#${variableName(name)}=${shown}\n`;
}
