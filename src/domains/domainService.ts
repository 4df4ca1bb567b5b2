import { authorizeProject } from '../access/authorize.ts';
import { findOwned, teamOf } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import { resolveAlert } from '../alerts/raiseAlert.ts';
import { recordAudit, recordChange } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { queryRaw } from '../db/query.ts';
import { type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction, lockRow } from '../db/transactions.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { randomToken } from '../kernel/secrets.ts';
import { snakeCase } from '../kernel/wire.ts';
import { Domain } from '../models/Domain.ts';
import { scanUrls } from '../scan/scan.ts';
import { applyCheck, lockHostname, resetDefaultDomain } from './applyCheck.ts';
import { checkOnRequest } from './checkOnRequest.ts';
import { heldProblem, isProtectedFrom } from './decideOwnership.ts';
import { failingIncident, gainedIncident, takenIncident } from './domainAlerts.ts';
import { readHostname } from './hostname.ts';
import { readOtherClaims, recordRelease } from './rivals.ts';

export { nameInZone, verificationOf } from './verification.ts';

/** Where visitors of a link domain are sent when no link matches. A field that was not sent is undefined; null clears it. */
interface DomainInput {
  managedBy?: string | null;
  rootDestination?: string | null;
  notFoundDestination?: string | null;
  expiredDestination?: string | null;
}

/** The fields that can only be set at creation. */
interface NewDomain extends DomainInput {
  projectId: string;
  hostname: string;
  kind?: 'link' | 'web' | null;
}

interface DomainFilter {
  managedBy?: string | null;
  kind?: string | null;
  status?: string | null;
}

const DESTINATIONS = ['rootDestination', 'notFoundDestination', 'expiredDestination'] as const;

/** The fields that a change may set. */
const FIELDS = [...DESTINATIONS, 'managedBy'] as const;

/** The length of the verification token, which must not be guessable. */
const TOKEN_BYTES = 24;

/** The most links that are counted; beyond, the message says "more than". */
const MAX_COUNTED = 10_000;

/**
 * Adds a domain to a project. It serves nothing until it is verified. Throws `validation_failed`, `destination_refused`,
 * `account_limit_reached`, and `conflict` if the project already has the host name or it is verified elsewhere.
 */
export async function createDomain(principal: Principal, { projectId, ...input }: NewDomain): Promise<Domain> {
  const project = await authorizeProject(principal, 'domains:write', projectId);
  const hostname = checkHostname(input);
  endOfChecks();
  await scanDestinations(hostname, input);
  try {
    return await inTransaction(async (transaction) => {
      // Two at once must not both be the last that the limit allows.
      await lockRow('projects', project.id, transaction);
      await refuseTooMany(project.id, transaction);
      const kind = input.kind ?? 'link';
      await refuseHeld({ hostname, kind }, project.teamId, transaction);
      const domain = await Domain.create(
        {
          id: newId('dom'),
          projectId: project.id,
          hostname,
          kind,
          verificationToken: randomToken(TOKEN_BYTES),
          verifiedBy: null,
          seen: null,
          problem: null,
          checkedAt: null,
          verifiedAt: null,
          nextCheckAt: inSeconds(config.domainRetrySeconds[0] ?? config.domainRecheckSeconds),
          rootDestination: input.rootDestination ?? null,
          notFoundDestination: input.notFoundDestination ?? null,
          expiredDestination: input.expiredDestination ?? null,
          managedBy: input.managedBy ?? null,
          createdAt: now(),
        },
        { transaction },
      );
      await recordAudit(transaction, principal, { ...aboutDomain(domain, project), action: 'domain.created' });
      await announce(transaction, 'domain', hostname);
      return domain;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw new CodedError('conflict', `This project already has the domain ${hostname}.`);
  }
}

/** One domain. Throws `not_found`. */
export function findDomain(principal: Principal, id: string): Promise<Domain> {
  return findOwned(Domain, principal, 'domains:read', id, 'domain');
}

/** Domains of a project, newest first. */
export async function listDomains(
  principal: Principal,
  { projectId, limit, cursor, kind, status, managedBy }: DomainFilter & PageRequest & { projectId: string },
): Promise<Page<Domain>> {
  const project = await authorizeProject(principal, 'domains:read', projectId);
  const where = {
    projectId: project.id,
    ...(kind ? { kind } : {}),
    ...(status ? { status } : {}),
    ...(managedBy ? { managedBy } : {}),
  };
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Domain, where, { limit: limit ?? null, cursor: cursor ?? null }, ['domains', where], order);
}

/** How many links of its project each of these domains has, by the ids of domains; archived links count too. */
export async function linksOnDomains(domainIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queryRaw<{ id: string; count: number }>(
    `SELECT id, (SELECT COUNT(*) FROM links
         WHERE links.project_id = domains.project_id AND links.domain = domains.hostname) AS count
       FROM domains WHERE ${inList('id', '$1')}`,
    [inListValue(domainIds)],
  );
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** Changes the given fields; redirects use them within a second. Throws `not_found` and `destination_refused`. */
export async function updateDomain(principal: Principal, id: string, input: DomainInput): Promise<Domain> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  await scanDestinations(found.hostname, input);
  return inTransaction(async (transaction) => {
    const domain = await Domain.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!domain) throw notFound('domain');
    const before = { ...domain.get() };
    for (const field of FIELDS) if (input[field] !== undefined) domain.set(field, input[field]);
    await domain.save({ transaction });
    const about = aboutDomain(domain, await teamOf(domain.projectId, transaction));
    const change = { ...about, before, after: domain.get(), fields: FIELDS };
    await recordChange(transaction, principal, { ...change, action: 'domain.updated' });
    await announce(transaction, 'domain', domain.hostname);
    return domain;
  });
}

/** Checks a domain now and returns it with its new state, which `problem` explains. Throws `not_found`. */
export async function verifyDomain(principal: Principal, id: string): Promise<Domain> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  const domain = await applyCheck(found, await checkOnRequest(found), { isRequested: true });
  if (!domain) throw notFound('domain');
  return domain;
}

/**
 * Deletes a domain. If it was the project's default domain, the service's domain becomes the default. Throws `not_found`, and
 * `conflict` while the domain has links, which would stop working unnoticed.
 */
export async function deleteDomain(principal: Principal, id: string): Promise<void> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  await inTransaction(async (transaction) => {
    // The creation of a link locks its domain's row until the link is committed.
    await lockHostname(found.hostname, transaction);
    const domain = await Domain.findByPk(found.id, { transaction });
    if (!domain) throw notFound('domain');
    if (domain.kind === 'link') await refuseWithLinks(domain, transaction);
    const { teamId } = await teamOf(domain.projectId, transaction);
    if (domain.kind === 'link' && domain.verifiedAt) await recordRelease(domain.hostname, teamId, transaction);
    await resetDefaultDomain(domain, transaction);
    for (const incidentOf of [failingIncident, takenIncident, gainedIncident]) {
      await resolveAlert(transaction, incidentOf(domain));
    }
    await recordAudit(transaction, principal, { ...aboutDomain(domain, { teamId }), action: 'domain.deleted' });
    await domain.destroy({ transaction });
    await announce(transaction, 'domain', domain.hostname);
  });
}

/** Returns the host name in canonical form. Throws `validation_failed`. */
function checkHostname({ hostname }: { hostname: string }): string {
  const parsed = readHostname(hostname);
  if ('problem' in parsed) throw validationFailed([{ path: 'hostname', message: parsed.problem }]);
  return parsed.hostname;
}

/** Scans the given destinations in the same way as those of links. Throws `destination_refused`. */
async function scanDestinations(hostname: string, input: DomainInput): Promise<void> {
  const urls = DESTINATIONS.flatMap((field) => {
    const url = input[field];
    return url ? [{ path: snakeCase(field), url }] : [];
  });
  if (urls.length === 0) return;
  // The host name is passed because an unverified domain is not known as a link domain yet, and could lead to itself.
  const [result] = await scanUrls([urls], [hostname]);
  if (result?.refusal) throw result.refusal;
}

async function refuseTooMany(projectId: string, transaction: Transaction): Promise<void> {
  const most = config.domainsPerProject;
  if ((await Domain.count({ where: { projectId }, transaction })) < most) return;
  const message = `This project has ${most} domains, the maximum. Delete one that you no longer need.`;
  throw new CodedError('account_limit_reached', message);
}

/** Refuses a name that could not be verified here, whatever its DNS records said. */
async function refuseHeld(
  claim: Pick<Domain, 'hostname' | 'kind'>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  const { rivals } = await readOtherClaims({ id: null, hostname: claim.hostname }, teamId, transaction);
  if (rivals.some((rival) => isProtectedFrom(claim, rival))) throw new CodedError('conflict', heldProblem(claim));
}

async function refuseWithLinks({ projectId, hostname }: Domain, transaction: Transaction): Promise<void> {
  const [row] = await queryRaw<{ count: number }>(
    `SELECT COUNT(*) AS count FROM
       (SELECT 1 FROM links WHERE project_id = $1 AND domain = $2 LIMIT ${MAX_COUNTED + 1}) AS counted`,
    [projectId, hostname],
    transaction,
  );
  const count = Number(row?.count ?? 0);
  if (count === 0) return;
  const shown = count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(count);
  const message = `The domain has ${shown} ${count === 1 ? 'link' : 'links'}, including archived ones. Move them to another domain or delete them first.`;
  throw new CodedError('conflict', message);
}

/** What every audit entry about a domain contains. A domain has no team of its own. */
function aboutDomain({ id, hostname, projectId }: Domain, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: hostname };
}
