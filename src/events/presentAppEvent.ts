import { type AppLinkFacts, presentAppLink } from './presentAppLink.ts';

/** Something that an app reported, and the link that its install came by. */
export interface AppEventFacts {
  event: {
    /** The app's own, or ours where it gave none: what receivers know repeats by. */
    id: string;
    name: string;
    occurredAt: Date;
    value: number | null;
    currency: string | null;
    properties: Record<string, unknown> | null;
    /** Its value is beyond the project's `max_event_value`. */
    outlier: boolean;
  };
  /** The UUID that the SDK made. */
  installId: string;
  link: AppLinkFacts | null;
}

/** The data of `app.event`. */
export function presentAppEvent({ event, installId, link }: AppEventFacts) {
  return {
    event: {
      id: event.id,
      name: event.name,
      occurred_at: event.occurredAt.toISOString(),
      value: event.value,
      currency: event.currency,
      properties: event.properties,
      outlier: event.outlier,
    },
    install_id: installId,
    link: presentAppLink(link),
  };
}
