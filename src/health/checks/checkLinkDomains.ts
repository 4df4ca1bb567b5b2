import { config } from '../../kernel/config.ts';
import { INSTANCE_PATH, linkOrigin } from '../../kernel/origins.ts';
import { instanceMark } from '../../kernel/secrets.ts';
import { type CheckResult, type Finding, summarize, unreachable } from '../findings.ts';
import type { ProbeSession } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';

const MAX_BYTES = 1000;

/** Whether each link domain has addresses, and whether this installation responds there. */
export async function checkLinkDomains(
  { linkDomains }: CheckSubject,
  probes: ProbeSession,
): Promise<CheckResult | null> {
  const findings = await Promise.all(linkDomains.map((domain) => checkOne(domain, probes)));
  return summarize(findings, 'Every link domain points to this service.');
}

async function checkOne(domain: string, probes: ProbeSession): Promise<Finding | null> {
  const url = linkOrigin(domain) + INSTANCE_PATH;
  const answer = await probes.probe(url, { maxBytes: MAX_BYTES });
  if (answer === null) return null;
  const records = isShared(domain)
    ? 'Point its DNS records to this service (LINK_DOMAIN).'
    : 'Set the DNS records that this project shows for the domain.';
  if ('problem' in answer) {
    const advice =
      answer.problem === 'dns'
        ? records
        : 'Make sure that the server is running, its port is open, and its certificate is valid.';
    return unreachable(url, answer, advice);
  }
  if (answer.status === 200 && answer.body.trim() === instanceMark()) return { status: 'pass', message: domain };
  const message = `Requests to ${domain} are not answered by this service (status ${answer.status}). ${records}`;
  return { status: 'fail', message };
}

function isShared(domain: string): boolean {
  return domain === config.linkDomain;
}
