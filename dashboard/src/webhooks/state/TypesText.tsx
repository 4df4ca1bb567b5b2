import { t } from '../../texts/index.ts';
import { getsAll } from './webhookState.ts';

/** Types that are named before the rest is counted. */
const NAMED = 2;

/** The event types of a webhook, in one line. */
export function TypesText({ eventTypes }: { eventTypes: readonly string[] }) {
  if (getsAll(eventTypes)) return <>{t.webhooks.types.all}</>;
  const others = eventTypes.length - NAMED;
  const named = eventTypes.slice(0, NAMED).join(', ');
  return <span title={eventTypes.join(', ')}>{others > 0 ? t.webhooks.types.andMore(named, others) : named}</span>;
}
