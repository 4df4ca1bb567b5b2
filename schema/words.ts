import type { KeyPrincipal } from '../src/access/principal.ts';
import type { VerificationRecord } from '../src/domains/verificationRecords.ts';
import type { CheckFacts } from '../src/events/presentHealth.ts';
import type { MatchMethod } from '../src/events/presentMatch.ts';
import type { Verdict } from '../src/matching/choose.ts';
import type { TokenSource } from '../src/matching/tokenGuards.ts';
import type { Alert } from '../src/models/Alert.ts';
import type { DeliveryStatus } from '../src/models/Delivery.ts';
import type { ImportStatus, OnConflict } from '../src/models/Import.ts';
import type { Install } from '../src/models/Install.ts';
import type { Project } from '../src/models/Project.ts';
import type { Team } from '../src/models/Team.ts';
import type { Webhook } from '../src/models/Webhook.ts';
import type { LinkStatus } from '../src/routing/status.ts';
import type { Trace } from '../src/routing/trace.ts';
import type { AttemptError } from '../src/webhooks/attempt.ts';

/**
 * The fixed words of fields, for rules and for what answers say of themselves. Each list is that of its type: one word
 * too few or too many does not compile.
 */
function wordsOf<Word extends string>(words: Record<Word, true>): Word[] {
  return Object.keys(words) as Word[];
}

export const LINK_STATUSES = wordsOf<LinkStatus>({
  flagged: true,
  archived: true,
  scheduled: true,
  expired: true,
  active: true,
});
export const TRACE_OUTCOMES = wordsOf<Trace['outcome']['kind']>({
  redirect: true,
  app: true,
  password: true,
  not_found: true,
  flagged: true,
  expired: true,
});
export const TEAM_STATUSES = wordsOf<Team['status']>({ active: true, read_only: true });
export const HEALTH_STATUSES = wordsOf<Project['health']>({ passing: true, failing: true, unknown: true });
export const CHECK_STATUSES = wordsOf<CheckFacts['status']>({ pass: true, warn: true, fail: true, skip: true });
export const RECORD_TYPES = wordsOf<VerificationRecord['type']>({
  TXT: true,
  CNAME: true,
  A: true,
  AAAA: true,
  FILE: true,
});
export const RECORD_PURPOSES = wordsOf<VerificationRecord['purpose']>({ ownership: true, routing: true });
export const KEY_KINDS = wordsOf<KeyPrincipal['keyKind']>({ secret: true, publishable: true });
export const WEBHOOK_STATUSES = wordsOf<Webhook['status']>({ enabled: true, disabled: true });
export const DISABLED_REASONS = wordsOf<NonNullable<Webhook['disabledReason']>>({
  manual: true,
  failures: true,
  gone: true,
});
export const CIRCUITS = wordsOf<Webhook['circuit']>({ closed: true, open: true });
export const DELIVERY_STATUSES = wordsOf<DeliveryStatus>({
  pending: true,
  succeeded: true,
  failed: true,
  cancelled: true,
});
export const ATTEMPT_ERRORS = wordsOf<AttemptError>({
  dns: true,
  connect: true,
  tls: true,
  timeout: true,
  reset: true,
  blocked_address: true,
  bad_response: true,
  status: true,
});
export const IMPORT_STATUSES = wordsOf<ImportStatus>({
  pending: true,
  running: true,
  finished: true,
  failed: true,
  cancelled: true,
});
export const ON_CONFLICT = wordsOf<OnConflict>({ skip: true, update: true, fail: true });
export const ALERT_SEVERITIES = wordsOf<Alert['severity']>({ info: true, warning: true, critical: true });
export const APP_PLATFORMS = wordsOf<Install['platform']>({ ios: true, android: true, web: true });
export const MATCH_METHODS = wordsOf<MatchMethod>({
  link: true,
  referrer: true,
  clipboard: true,
  probabilistic: true,
  none: true,
});
export const TOKEN_SOURCES = wordsOf<TokenSource>({ link: true, referrer: true, clipboard: true });
export const VERDICTS = wordsOf<Verdict>({
  matched: true,
  used: true,
  outside_window: true,
  other_platform: true,
  link_gone: true,
  link_flagged: true,
  other_address: true,
  not_a_person: true,
  below_threshold: true,
  not_the_last: true,
  ambiguous: true,
  less_likely: true,
});
