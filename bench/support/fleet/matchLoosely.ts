import { parseVisitor } from '../../../src/routing/visitor.ts';
import type { ClickEvent, FleetEvent, OpenEvent } from './events.ts';

const WEEK_MS = 7 * 86_400_000;

/**
 * The rule that others use: the newest click by the same kind of browser from the same /24 (IPv6: /48) within a week,
 * whosever link it was; it stays there for the next install. An app tells no browser, so its kind is the platform's.
 */
export function matchLoosely(events: readonly FleetEvent[]): Map<OpenEvent, ClickEvent | null> {
  const newest = new Map<string, ClickEvent>();
  const found = new Map<OpenEvent, ClickEvent | null>();
  for (const event of events) {
    if (event.kind === 'click') {
      const { platform } = parseVisitor({ userAgent: event.agent }, 'GET');
      newest.set(`${platform} ${networkOf(event.address)}`, event);
    } else if (event.isFirst) {
      const click = newest.get(`${event.phone.platform} ${networkOf(event.address)}`);
      found.set(event, click && event.atMs - click.atMs <= WEEK_MS ? click : null);
    }
  }
  return found;
}

function networkOf(address: string): string {
  return address.split(/[.:]/).slice(0, 3).join('.');
}
