import type { Alert } from '../../models/Alert.ts';

/** Every kind of alert, and what it tells. */
export const ALERT_KINDS: Record<Alert['kind'], string> = {
  health: 'Checks of a project fail.',
  traffic_anomaly: 'The traffic is not as usual.',
  link_flagged: 'A link was flagged.',
  webhook_disabled: 'A webhook was switched off.',
  billing: 'A limit of the account is nearly used up.',
  domain: 'Something about a domain.',
  security: 'Somebody may have access who should not.',
};
