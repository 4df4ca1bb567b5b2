import { ofLiveProject } from '../access/notDeleted.ts';
import { claimDue, hasDue, type LeasedTable } from '../db/lease.ts';
import { Op } from '../db/sequelize.ts';
import { log } from '../kernel/log.ts';
import { Domain } from '../models/Domain.ts';
import { applyCheck } from './applyCheck.ts';
import { checkDomain } from './checkDomain.ts';

/** A check takes seconds: after this, a claimed domain that was not checked because of a crash is due again. */
const LEASE_MS = 60_000;

const LEASES: LeasedTable = {
  table: 'domains',
  key: 'id',
  due: 'next_check_at',
  until: 'next_check_at',
  leaseMs: () => LEASE_MS,
};

/** The most checks that run at the same time in each pool. */
const POOL_SIZE = 10;

/** Domains of deleted projects are not checked. */
const CHECKED = ofLiveProject('domains.project_id');
/** Domains whose last check failed have their own pool, so that hanging name servers do not delay healthy domains. */
const POOLS = ['failures = 0', 'failures > 0'].map((condition) => `${condition} AND ${CHECKED}`);

/** Whether any domain is due for a check. */
export function hasDueDomains(): Promise<boolean> {
  return hasDue(LEASES, { where: CHECKED });
}

/** Checks all domains that are due. Returns soon after `signal` aborts. */
export async function checkDueDomains(signal: AbortSignal): Promise<void> {
  await Promise.all(POOLS.map((condition) => runPool(condition, signal)));
}

async function runPool(condition: string, signal: AbortSignal): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  while (!signal.aborted) {
    for (const domain of await claimDomains(condition, POOL_SIZE - inFlight.size)) {
      const check = checkOne(domain, signal).finally(() => inFlight.delete(check));
      inFlight.add(check);
    }
    if (inFlight.size === 0) break;
    await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

/** The claimed domains have the end of their lease as `nextCheckAt`. */
async function claimDomains(condition: string, limit: number): Promise<Domain[]> {
  const claimed = await claimDue(LEASES, { limit, where: condition });
  if (claimed.length === 0) return [];
  return Domain.findAll({ where: { id: { [Op.in]: claimed.map(({ key }) => key) } } });
}

/** After an internal error, the domain is due again when its lease ends. */
async function checkOne(domain: Domain, signal: AbortSignal): Promise<void> {
  try {
    const finding = await checkDomain(domain, signal);
    // An aborted check has no result.
    if (!signal.aborted) await applyCheck(domain, finding, { claim: domain.nextCheckAt });
  } catch (error) {
    log.warn({ err: error, domain: domain.id }, 'could not check a domain; will retry when the lease ends');
  }
}
