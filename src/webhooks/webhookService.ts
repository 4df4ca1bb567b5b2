import { authorizeProject, authorizeTeam } from '../access/authorize.ts';
import { findOwnedByIds } from '../access/findOwned.ts';
import { ofLiveProject } from '../access/notDeleted.ts';
import type { Principal } from '../access/principal.ts';
import { resolveAlert } from '../alerts/raiseAlert.ts';
import { recordAudit, recordChange } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { literal, Op, type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { API_VERSION } from '../events/catalogue.ts';
import { now } from '../kernel/clock.ts';
import { CodedError, checkAll } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { DEFAULT_IN_FLIGHT, Webhook } from '../models/Webhook.ts';
import { HEALTHY } from './decideCircuit.ts';
import { cancelHeld, isHeldForTooLong, releaseHeld } from './deliveryStore.ts';
import { aboutWebhook, findWebhook, lockWebhook } from './findWebhook.ts';
import { resolveScope, type WebhookScope } from './resolveScope.ts';
import { newWebhookSecret, sealSecrets } from './secretService.ts';
import { checkTarget } from './target.ts';
import { makerOf, refuseTeamWide } from './webhookMaker.ts';
import { disabledIncident } from './worker/disabledAlert.ts';

/** The fields of a webhook that can be set; those that were not sent are undefined. */
export interface WebhookInput {
  url?: string;
  description?: string | null;
  /** Your own id, unique in the project. */
  externalId?: string | null;
  managedBy?: string | null;
  eventTypes?: string[];
  scope?: WebhookScope | null;
  includeBots?: boolean;
  /** Null: each event is sent by itself. */
  batch?: { maxEvents: number; maxWaitSeconds: number } | null;
  maxInFlight?: number;
}

type NewWebhook = WebhookInput & { projectId?: string | null; teamId?: string | null };

/**
 * Creates a webhook with its first secret. A key creates one for its project, a person for a project (`projectId`) or for
 * the whole team (`teamId`), as an owner or admin. Throws `validation_failed`, `insufficient_scope`, and `conflict` for a used
 * external id.
 */
export async function createWebhook(
  principal: Principal,
  input: NewWebhook & { url: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const { url, description, externalId, managedBy, eventTypes, includeBots, batch, maxInFlight } = input;
  const { bounds, columns } = await checkNewWebhook(principal, input);
  const secret = newWebhookSecret();
  const webhook = await writing(externalId, async (transaction) => {
    const id = newId('whk');
    const maker = await makerOf(principal, transaction);
    const made = await Webhook.create(
      {
        id,
        teamId: bounds.teamId,
        ...columns,
        url,
        description: description ?? null,
        externalId: externalId ?? null,
        managedBy: managedBy ?? null,
        createdBy: maker,
        urlSetBy: maker,
        eventTypes: eventTypes ?? ['*'],
        includeBots: includeBots ?? false,
        ...batchColumns(batch),
        maxInFlight: maxInFlight ?? DEFAULT_IN_FLIGHT,
        apiVersion: API_VERSION,
        secrets: sealSecrets(id, [{ secret, expiresAt: null }]),
      },
      { transaction },
    );
    const details = { event_types: made.eventTypes, link_id: made.linkId, tag_id: made.tagId };
    await recordAudit(transaction, principal, { ...aboutWebhook(made), action: 'webhook.created', details });
    return made;
  });
  return { webhook, secret };
}

/** The columns of batches. Once there were some, workers look for events that wait, also after they were switched off. */
function batchColumns(batch: WebhookInput['batch']) {
  if (batch === undefined) return {};
  if (batch === null) return { batchMaxEvents: null, batchMaxWaitSeconds: null };
  return { batchMaxEvents: batch.maxEvents, batchMaxWaitSeconds: batch.maxWaitSeconds, hasBatched: true };
}

/** Runs a write in a transaction. Throws `conflict` where another webhook has the external id. */
async function writing(
  externalId: string | null | undefined,
  write: (transaction: Transaction) => Promise<Webhook>,
): Promise<Webhook> {
  try {
    return await inTransaction(write);
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    const named = externalId ? `"${externalId}"` : 'of this webhook';
    throw new CodedError('conflict', `The external id ${named} is used by another webhook of the project.`);
  }
}

/** Checks a new webhook without creating it. Returns its team and project, and the columns of its scope. */
async function checkNewWebhook(principal: Principal, input: NewWebhook) {
  const bounds = await boundsOf(principal, input);
  const [columns] = await checkAll([resolveScope(input.scope, bounds), checkTarget(input.url)]);
  if (columns.projectId === null) refuseTeamWide(principal, bounds.teamId);
  return { bounds, columns };
}

async function boundsOf(
  principal: Principal,
  { projectId, teamId }: { projectId?: string | null; teamId?: string | null },
) {
  if (projectId) {
    const project = await authorizeProject(principal, 'webhooks:write', projectId);
    return { teamId: project.teamId, projectId: project.id };
  }
  const team = await authorizeTeam(principal, 'webhooks:write', teamId ?? '');
  return { teamId: team.id, projectId: null };
}

const NEWEST_FIRST = { attribute: 'createdAt', direction: 'DESC' } as const;

/** The webhook, for principals that may read it. Throws `not_found`. */
export function readWebhook(principal: Principal, id: string): Promise<Webhook> {
  return findWebhook(principal, 'webhooks:read', id);
}

/** The webhooks with these ids that the principal may read, by id; without deleted ones. */
export async function webhooksOfIds(principal: Principal, ids: readonly string[]): Promise<Map<string, Webhook>> {
  const found = await findOwnedByIds(Webhook, principal, 'webhooks:read', ids);
  return new Map([...found].filter(([, { deletedAt }]) => deletedAt === null));
}

interface WebhookFilter {
  projectId?: string | null;
  teamId?: string | null;
  /** With `projectId`: also the team-wide webhooks. Keys never see those. */
  includesTeamWide?: boolean | null;
  externalId?: string | null;
  managedBy?: string | null;
}

/** Webhooks of a project or, with `teamId`, all webhooks of a team; newest first. Throws `not_found`. */
export async function listWebhooks(
  principal: Principal,
  { projectId, teamId, includesTeamWide, externalId, managedBy, limit, cursor }: PageRequest & WebhookFilter,
): Promise<Page<Webhook>> {
  const project = projectId ? await authorizeProject(principal, 'webhooks:read', projectId) : null;
  const own = project
    ? { projectId: project.id }
    : { teamId: (await authorizeTeam(principal, 'webhooks:read', teamId ?? '')).id };
  const isWide = project && includesTeamWide && principal.kind === 'session';
  const listed = isWide ? { [Op.or]: [own, { teamId: project.teamId, projectId: null }] } : own;
  const named = { ...(externalId ? { externalId } : {}), ...(managedBy ? { managedBy } : {}) };
  const where = { [Op.and]: [listed, named, literal(ofLiveProject('"Webhook"."project_id"'))] };
  return findPage(Webhook, where, { limit, cursor }, ['webhooks', own, Boolean(isWide), named], NEWEST_FIRST);
}

/** The fields that the audit log compares. */
const FIELDS = [
  'url',
  'description',
  'externalId',
  'managedBy',
  'eventTypes',
  'includeBots',
  'batchMaxEvents',
  'batchMaxWaitSeconds',
  'maxInFlight',
  'projectId',
  'linkId',
  'tagId',
] as const;

/**
 * Changes the fields that were sent. What waits for a batch that is switched off is sent by itself. A new URL is a new receiver,
 * so the circuit is closed. Throws `not_found`, `validation_failed`, `insufficient_scope`, and `conflict` for a used external id.
 */
export async function updateWebhook(principal: Principal, id: string, input: WebhookInput): Promise<Webhook> {
  const { found, scoped } = await checkWebhookChange(principal, id, input);
  const { scope: _, batch, ...columns } = input;
  return writing(input.externalId, async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    const before = { ...webhook.get() };
    const hasNewUrl = input.url !== undefined && input.url !== webhook.url;
    const isMoved = hasNewUrl && webhook.status === 'enabled';
    await announce(transaction, 'webhook', webhook.id);
    await webhook.update(
      {
        ...columns,
        ...batchColumns(batch),
        ...scoped,
        ...(hasNewUrl ? { urlSetBy: await makerOf(principal, transaction) } : {}),
        ...(isMoved ? { ...HEALTHY, generation: webhook.generation + 1 } : {}),
      },
      { transaction },
    );
    const change = { ...aboutWebhook(webhook), before, after: webhook.get(), fields: FIELDS };
    await recordChange(transaction, principal, { ...change, action: 'webhook.updated' });
    return webhook;
  });
}

/** Checks a change without making it. Returns the webhook, and the columns of its new scope. */
async function checkWebhookChange(principal: Principal, id: string, { scope, url }: WebhookInput) {
  const found = await findWebhook(principal, 'webhooks:write', id);
  const projectId = principal.kind === 'key' ? principal.projectId : null;
  const [scoped] = await checkAll([
    scope === undefined ? Promise.resolve({}) : resolveScope(scope, { teamId: found.teamId, projectId }),
    checkTarget(url === found.url ? undefined : url),
  ]);
  if ('projectId' in scoped && scoped.projectId === null) refuseTeamWide(principal, found.teamId);
  return { found, scoped };
}

/** Deletes a webhook with its deliveries; pending ones are not sent any more. Throws `not_found`. */
export async function deleteWebhook(principal: Principal, id: string): Promise<void> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  await inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    // It may have a million deliveries; `purgeDeletedWebhooks` deletes them in batches.
    await webhook.update({ deletedAt: now() }, { transaction });
    await resolveAlert(transaction, disabledIncident(webhook.id));
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.deleted' });
    await announce(transaction, 'webhook', webhook.id);
  });
}

/**
 * Enables or disables a webhook by hand. Safe to repeat: a webhook that has the status already keeps its reason too. While
 * it is disabled it gets no new deliveries, and pending ones wait. Throws `not_found`.
 */
export async function switchWebhook(principal: Principal, id: string, to: Webhook['status']): Promise<Webhook> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  // A disabled webhook does not send due deliveries either, so nothing is lost if the process dies after this.
  if (to === 'enabled' && found.status === 'disabled' && !isHeldForTooLong(found)) await releaseInSteps(found.id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    if (webhook.status === to) return webhook;
    if (to === 'disabled') return switchOff(principal, webhook, transaction);
    await makerOf(principal, transaction);
    await announce(transaction, 'webhook', webhook.id);
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.enabled' });
    return enable(webhook, transaction);
  });
}

/** Disables an enabled webhook that is locked, within the transaction of the caller. */
export async function switchOff(principal: Principal, webhook: Webhook, transaction: Transaction): Promise<Webhook> {
  await announce(transaction, 'webhook', webhook.id);
  await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.disabled' });
  return webhook.update({ status: 'disabled', disabledReason: 'manual', disabledAt: now() }, { transaction });
}

/** Releases in many transactions: with a million deliveries, one would block other writers for too long. */
async function releaseInSteps(webhookId: string): Promise<void> {
  while (await inTransaction((transaction) => releaseHeld(webhookId, transaction)));
}

/** Resets the health of the webhook. Waiting deliveries are sent at once, or cancelled if they have waited too long. */
async function enable(webhook: Webhook, transaction: Transaction): Promise<Webhook> {
  if (isHeldForTooLong(webhook)) while ((await cancelHeld([webhook.id], transaction)) > 0);
  while (await releaseHeld(webhook.id, transaction));
  await resolveAlert(transaction, disabledIncident(webhook.id));
  const reset = { disabledReason: null, disabledAt: null, generation: webhook.generation + 1, ...HEALTHY };
  return webhook.update({ status: 'enabled', ...reset }, { transaction });
}
