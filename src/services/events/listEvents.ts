import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { dialect } from '../../db/database.ts';
import { literal, Op, type WhereOptions, whereIs } from '../../db/sequelize.ts';
import { API_VERSION } from '../../events/catalogue.ts';
import { type Envelope, envelopeOf } from '../../events/envelope.ts';
import { inSeconds } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { Event } from '../../models/Event.ts';
import { linkIdOf } from '../links/findLink.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

export interface EventFilter {
  type?: string | null;
  /** Id of a link, also of a deleted one, or `ext_<external_id>`. */
  linkId?: string | null;
  /** From this moment on. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

/** Envelopes of a project's events of the last days (EVENT_RETENTION_DAYS), newest first; tests are not among them. */
export async function listEvents(
  principal: Principal,
  projectId: string,
  { limit, cursor, ...filter }: EventFilter & PageRequest,
): Promise<Page<Envelope>> {
  const project = await authorizeProject(principal, 'events:read', projectId);
  const oldest = inSeconds(-config.eventRetentionDays * 86_400);
  const where: WhereOptions[] = [{ projectId: project.id, webhookId: null, createdAt: { [Op.gte]: oldest } }];
  if (filter.linkId) where.push({ linkId: await linkIdOf(project.id, filter.linkId) });
  if (filter.type) where.push(typeCondition(filter.type, Boolean(filter.linkId)));
  if (filter.createdAfter) where.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) where.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  const page = await findPage(Event, { [Op.and]: where }, { limit, cursor }, ['events', project.id, filter], order);
  return { ...page, data: page.data.map((event) => envelopeOf(event, API_VERSION)) };
}

/**
 * The events of a link are looked for by the link and then by their type, never the other way round: SQLite, which
 * cannot tell which is rarer, is kept by the plus sign from reading every click of the project.
 */
function typeCondition(type: string, ofOneLink: boolean): WhereOptions {
  if (!ofOneLink || dialect() !== 'sqlite') return { type };
  return whereIs(literal('+"Event"."type"'), type) as unknown as WhereOptions;
}
