import { among, amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { config } from '../../kernel/config.ts';
import { canonicalHost } from '../../kernel/origins.ts';

/** Longer lists help nobody. */
const SHOWN = 10;

const OWN = "SELECT hostname FROM domains WHERE project_id = $1 AND kind = 'link' AND verified_at IS NOT NULL";

/**
 * The domains that links of a project may have: that of the service, and its own ones that were verified. The store is
 * asked once, and only when one of the `wanted` is not the service's.
 */
export async function usableDomains(projectId: string, wanted: (string | null | undefined)[]): Promise<string[]> {
  const isShared = (domain: string) => canonicalHost(domain) === config.linkDomain;
  if (wanted.every((domain) => !domain || isShared(domain))) return [config.linkDomain];
  const rows = await selectBound<{ hostname: string }>(`${OWN} ORDER BY hostname`, [projectId]);
  return [config.linkDomain, ...rows.map(({ hostname }) => hostname)];
}

/** Why a domain cannot be used, with those that can; null when it can. */
export function domainProblem(domain: string, usable: string[]): string | null {
  const canonical = canonicalHost(domain);
  if (canonical !== null && usable.includes(canonical)) return null;
  const shown = usable.slice(0, SHOWN).join(', ');
  const more = usable.length > SHOWN ? `, or another of its ${usable.length - 1} verified link domains` : '';
  return `Is not a link domain of this project; use ${shown}${more}.`;
}

/**
 * Which of these domains links may have now. Until the transaction ends none of them is deleted or goes to somebody
 * else: they were looked up before it, and may be gone.
 */
export async function holdDomains(
  projectId: string,
  domains: Iterable<string>,
  transaction: Transaction,
): Promise<ReadonlySet<string>> {
  const held = new Set([config.linkDomain]);
  const own = [...domains].filter((domain) => !held.has(domain));
  if (own.length === 0) return held;
  const lock = dialect() === 'postgres' ? 'FOR SHARE' : '';
  const rows = await selectBound<{ hostname: string }>(
    `${OWN} AND ${among('hostname', '$2')} ORDER BY id ${lock}`,
    [projectId, amongValue(own)],
    transaction,
  );
  for (const { hostname } of rows) held.add(hostname);
  return held;
}
