import { lineOf } from '../clicks/clickLine.ts';
import type { Journal } from '../clicks/journal.ts';
import type { ClickLimits } from './ClickLimits.ts';
import type { Followed } from './follow.ts';
import { visitOf } from './visitOf.ts';

/**
 * Puts the click on disk; the answer waits for that. A person counts against the link's limit at once. A click that does
 * not fit is dropped and counted by the journal.
 */
export function clickRecorder(journal: Journal, limits: ClickLimits): (followed: Followed) => Promise<unknown> {
  return (followed) => {
    if (followed.visitor.trafficClass === 'human') limits.raise(followed.link.id);
    return journal.append(lineFor(followed));
  };
}

function lineFor({ id, link, visitor, outcome, place, addressHash, visitorHash, atMs }: Followed): string {
  return lineOf(link.line, {
    id,
    occurredAt: atMs,
    ...visitOf(visitor, place),
    trafficReason: visitor.trafficReason,
    destination: outcome.configured,
    rule: outcome.rule,
    visitor: visitorHash,
    addressHash,
    osVersion: visitor.osVersion,
    deviceModel: visitor.deviceModel,
  });
}
