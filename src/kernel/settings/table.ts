import type { BlockList } from 'node:net';
import { ACCESS_SETTINGS } from './access.ts';
import { ACCOUNT_SETTINGS } from './accounts.ts';
import { CLICK_SETTINGS } from './clicks.ts';
import { HEALTH_SETTINGS } from './health.ts';
import type { ListenAddress, Setting } from './kinds.ts';
import { LINK_SETTINGS } from './links.ts';
import { MACHINE_SETTINGS } from './machines.ts';
import { SERVER_SETTINGS } from './server.ts';
import { WEBHOOK_SETTINGS } from './webhooks.ts';

/**
 * Every setting of the product. The environment variable is the name in capitals: `webhookTimeoutSeconds` is
 * WEBHOOK_TIMEOUT_SECONDS.
 */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...ACCESS_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...LINK_SETTINGS,
  ...CLICK_SETTINGS,
  ...HEALTH_SETTINGS,
  ...WEBHOOK_SETTINGS,
  ...MACHINE_SETTINGS,
} satisfies Record<string, Setting<string | number | boolean | null | number[] | string[] | BlockList | ListenAddress>>;

/** Variables by the names that they had in earlier versions; they are still read. */
export const FORMER_NAMES: Record<string, keyof typeof SETTINGS> = {
  ROLLUP_SECONDS: 'blockBuildSeconds',
  DOMAIN_LOOK_PAUSE_MILLISECONDS: 'domainCheckPauseMilliseconds',
  LIVE_BEAT_SECONDS: 'liveHeartbeatSeconds',
  SILENT_KEY_DAYS: 'unusedKeyDays',
};
