import { encodeClick } from '../clicks/click.ts';
import type { Journal } from '../clicks/journal.ts';
import { newClickId } from '../clicks/newClickId.ts';
import type { Followed } from './handler.ts';

/** Puts the click on disk; the answer waits for that. A click that does not fit is dropped and counted by the journal. */
export function clickRecorder(journal: Journal): (followed: Followed) => Promise<unknown> {
  return ({ link, visitor, outcome, country, addressHash, visitorHash, atMs }) =>
    journal.append(
      encodeClick({
        id: newClickId(),
        projectId: link.projectId,
        linkId: link.id,
        domain: link.domain,
        slug: link.slug,
        occurredAt: atMs,
        trafficClass: visitor.trafficClass,
        trafficReason: visitor.trafficReason,
        country,
        region: null,
        city: null,
        platform: visitor.platform,
        device: visitor.device,
        browser: visitor.browser,
        language: visitor.language,
        referrerHost: visitor.referrerHost,
        destination: outcome.configured,
        rule: outcome.rule,
        utm: link.utm as Record<string, string | null> | null,
        visitor: visitorHash,
        addressHash,
      }),
    );
}
