import type { DeliveryStatus } from '../src/models/Delivery.ts';
import type { Webhook } from '../src/models/Webhook.ts';
import type { DeliveryGrouping } from '../src/webhooks/deliveryListService.ts';
import type { AttemptError } from '../src/webhooks/deliveryService.ts';
import type { REPLAYS } from '../src/webhooks/replayService.ts';
import { fixedWords } from './rules.ts';

export const WEBHOOK_STATUSES = fixedWords<Webhook['status']>('WebhookStatus', 'Whether a webhook gets events.', {
  enabled: 'It gets events.',
  disabled: 'It gets no events.',
});

export const DISABLED_REASONS = fixedWords<NonNullable<Webhook['disabledReason']>>(
  'WebhookDisabledReason',
  'Why a webhook is disabled.',
  {
    manual: 'It was disabled by hand.',
    failures: 'Too many attempts in a row failed.',
    gone: 'The receiver answered 410.',
  },
);

export const CIRCUITS = fixedWords<Webhook['circuit']>(
  'WebhookCircuit',
  'Whether deliveries of a webhook are held back.',
  {
    closed: 'They are sent.',
    open: 'They are held back for a while because the receiver fails.',
  },
);

export const DELIVERY_STATUSES = fixedWords<DeliveryStatus>('DeliveryStatus', 'What became of a delivery.', {
  pending: 'It is still to be sent.',
  succeeded: 'The receiver accepted it.',
  failed: 'Every attempt failed.',
  cancelled: 'It was given up before every attempt was made.',
});

export const DELIVERY_GROUPS = fixedWords<DeliveryGrouping>('DeliveryGrouping', 'By what deliveries are counted.', {
  status: 'By what became of them.',
  event_type: 'By the type of their events.',
});

export const ATTEMPT_ERRORS = fixedWords<AttemptError>('AttemptError', 'Why an attempt failed.', {
  dns: 'The host name could not be resolved.',
  connect: 'No connection was possible.',
  tls: 'The TLS handshake failed.',
  timeout: 'The receiver took too long.',
  reset: 'The receiver closed the connection.',
  blocked_address: 'The host has an address that is not public.',
  bad_response: 'The response was no valid HTTP.',
  status: 'The response had a status other than 2xx.',
});

export const REPLAY_STATUSES = fixedWords<(typeof REPLAYS)[number]>(
  'ReplayStatus',
  'Which events a replay sends again.',
  {
    failed: 'Those whose deliveries failed or were cancelled.',
    missing: 'Matching ones without a delivery.',
    all: 'Both, and those whose deliveries have succeeded or are pending.',
  },
);
