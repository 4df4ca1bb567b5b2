import { log } from '../kernel/log.ts';
import type { Domain } from '../models/Domain.ts';
import { claimDueDomains, type Troubles } from './claimDueDomains.ts';
import { lookAt } from './lookAt.ts';
import { settleLook } from './settleLook.ts';

/** Looks at once, in each of the two lanes. */
const AT_ONCE = 10;

/**
 * Those whose last look failed have a lane of their own, so that names whose servers hang delay none that are in order.
 */
const LANES: Troubles[] = ['= 0', '> 0'];

/** Looks at the domains that are due; ends soon after `signal` says that the process stops. */
export async function checkDueDomains(signal: AbortSignal): Promise<void> {
  await Promise.all(LANES.map((troubles) => runLane(troubles, signal)));
}

async function runLane(troubles: Troubles, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    for (const domain of await claimDueDomains(troubles, AT_ONCE - underWay.size)) {
      const look = checkOne(domain, signal).finally(() => underWay.delete(look));
      underWay.add(look);
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

/** A fault of ours leaves the domain to its lease. */
async function checkOne(domain: Domain, signal: AbortSignal): Promise<void> {
  try {
    const finding = await lookAt(domain, signal);
    // It was broken off: nothing was found out.
    if (!signal.aborted) await settleLook(domain, finding, { claim: domain.nextCheckAt });
  } catch (error) {
    log.warn({ err: error, domain: domain.id }, 'a domain could not be looked at; it is tried again');
  }
}
