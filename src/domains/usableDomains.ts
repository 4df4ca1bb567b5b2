import { inList, inListValue, rowLock } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { config } from '../kernel/config.ts';
import { type CodedError, validationFailed } from '../kernel/errors.ts';
import { canonicalHost } from '../kernel/origins.ts';

/** The most domains that a message lists. */
const MAX_LISTED = 10;

const OWN = "SELECT hostname FROM domains WHERE project_id = $1 AND kind = 'link' AND verified_at IS NOT NULL";

/**
 * The domains that a project's links may use: the service's domain, and the project's verified link domains. The store is
 * queried once, and only if one of the `wanted` domains is not the service's.
 */
export async function usableDomains(projectId: string, wanted: (string | null | undefined)[]): Promise<string[]> {
  const isShared = (domain: string) => canonicalHost(domain) === config.linkDomain;
  if (wanted.every((domain) => !domain || isShared(domain))) return [config.linkDomain];
  const rows = await queryRaw<{ hostname: string }>(`${OWN} ORDER BY hostname`, [projectId]);
  return [config.linkDomain, ...rows.map(({ hostname }) => hostname)];
}

/** Why a domain cannot be used, with a list of those that can; null if it can. */
export function domainProblem(domain: string, usable: string[]): string | null {
  const canonical = canonicalHost(domain);
  if (canonical !== null && usable.includes(canonical)) return null;
  const shown = usable.slice(0, MAX_LISTED).join(', ');
  const more = usable.length > MAX_LISTED ? `, or another of its ${usable.length - 1} verified link domains` : '';
  return `Is not a link domain of this project; use ${shown}${more}.`;
}

/**
 * Returns which of these domains links may use now, and locks them: until the transaction ends, none of them can be deleted
 * or taken by another team. They were looked up before the transaction, so some may be gone.
 */
export async function holdDomains(
  projectId: string,
  domains: Iterable<string>,
  transaction: Transaction,
): Promise<ReadonlySet<string>> {
  const held = new Set([config.linkDomain]);
  const own = [...domains].filter((domain) => !held.has(domain));
  if (own.length === 0) return held;
  const rows = await queryRaw<{ hostname: string }>(
    `${OWN} AND ${inList('hostname', '$2')} ORDER BY id ${rowLock('FOR SHARE')}`,
    [projectId, inListValue(own)],
    transaction,
  );
  for (const { hostname } of rows) held.add(hostname);
  return held;
}

/** The error for a link whose domain was deleted, or taken by another team, just before the link was stored. */
export function domainGoneError(domain: string): CodedError {
  const message = `${domain} is no longer a link domain of this project. Use another one, or omit the field.`;
  return validationFailed([{ path: 'domain', message }]);
}
