import { authorizeProject } from '../access/authorize.ts';
import { findOwnedByIds } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import { withoutIndex } from '../db/dialects.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { literal, Op, type WhereOptions, whereIs } from '../db/sequelize.ts';
import { API_VERSION, type EventType } from '../events/catalogue.ts';
import { type Envelope, envelopeOf } from '../events/envelope.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { linkIdOf } from '../links/linkReferences.ts';
import { Event } from '../models/Event.ts';
import { sampleData } from './samples.ts';

/** An envelope, and the id of the link that the event is about, which may have been deleted. */
export interface ShownEvent extends Envelope {
  linkId: string | null;
}

export interface EventFilter {
  type?: string | null;
  /** The id of a link, even of a deleted one, or `ext_<external_id>`. */
  linkId?: string | null;
  /** Inclusive. */
  createdAfter?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

/** Envelopes of a project's events within EVENT_RETENTION_DAYS, newest first, without tests. Throws `not_found`. */
export async function listEvents(
  principal: Principal,
  projectId: string,
  { limit, cursor, ...filter }: EventFilter & PageRequest,
): Promise<Page<ShownEvent>> {
  const project = await authorizeProject(principal, 'events:read', projectId);
  const where: WhereOptions[] = [{ projectId: project.id, webhookId: null, createdAt: { [Op.gte]: oldestShown() } }];
  if (filter.linkId) where.push({ linkId: await linkIdOf(project.id, filter.linkId) });
  if (filter.type) where.push(typeCondition(filter.type, Boolean(filter.linkId)));
  if (filter.createdAfter) where.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) where.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  const page = await findPage(Event, { [Op.and]: where }, { limit, cursor }, ['events', project.id, filter], order);
  return { ...page, data: page.data.map(shownEvent) };
}

/** The events with these ids within EVENT_RETENTION_DAYS that the principal may read, by id; tests too. */
export async function eventsOfIds(principal: Principal, ids: readonly string[]): Promise<Map<string, ShownEvent>> {
  const found = await findOwnedByIds(Event, principal, 'events:read', ids);
  const recent = [...found.values()].filter(({ createdAt }) => createdAt >= oldestShown());
  return new Map(recent.map((event) => [event.id, shownEvent(event)]));
}

/** An event of this type as a receiver gets it when a test is sent. Its ids are made up. */
export function sampleEnvelope(type: EventType): Record<string, unknown> {
  const projectId = newId('prj');
  return {
    id: newId('evt'),
    type,
    api_version: API_VERSION,
    created_at: now().toISOString(),
    team_id: newId('team'),
    project_id: projectId,
    test: true,
    data: sampleData(type, { projectId }),
  };
}

function oldestShown(): Date {
  return inSeconds(-config.eventRetentionDays * 86_400);
}

function shownEvent(event: Event): ShownEvent {
  return { ...envelopeOf(event, API_VERSION), linkId: event.linkId };
}

/**
 * Events of one link have to be found by the index on the link: by the index on the type, SQLite would read every click of the
 * project.
 */
function typeCondition(type: string, hasLink: boolean): WhereOptions {
  if (!hasLink) return { type };
  return whereIs(literal(withoutIndex('"Event"."type"')), type) as unknown as WhereOptions;
}
