import { config } from '../../kernel/config.ts';
import { linkOrigin } from '../../kernel/origins.ts';
import { INSTANCE_PATH } from '../../kernel/ownPaths.ts';
import { instanceMark } from '../../kernel/secrets.ts';
import type { Asking } from '../Asking.ts';
import type { CheckResult } from '../Check.ts';
import { type Finding, summarize } from '../findings.ts';
import type { Subject } from '../readSubject.ts';
import { unreachable } from '../unreachable.ts';

const MAX_BYTES = 1000;

/** Whether each link domain has addresses and what answers there is this installation. */
export async function checkLinkDomains({ linkDomains }: Subject, asking: Asking): Promise<CheckResult | null> {
  const findings = await Promise.all(linkDomains.map((domain) => lookAt(domain, asking)));
  return summarize(findings, 'Every link domain leads here.');
}

async function lookAt(domain: string, asking: Asking): Promise<Finding | null> {
  const url = linkOrigin(domain) + INSTANCE_PATH;
  const answer = await asking.ask(url, { maxBytes: MAX_BYTES });
  if (answer === null) return null;
  const records = `Set its DNS records as its domain in this project says${isShared(domain) ? ' (LINK_DOMAIN)' : ''}.`;
  if ('problem' in answer) {
    const advice =
      answer.problem === 'dns'
        ? records
        : 'See that the server is up, that its port is open, and that the certificate is good.';
    return unreachable(url, answer, advice);
  }
  if (answer.status === 200 && answer.body.trim() === instanceMark()) return { status: 'pass', message: domain };
  const message = `${domain} is answered by something else than this service (status ${answer.status}). ${records}`;
  return { status: 'fail', message };
}

function isShared(domain: string): boolean {
  return domain === config.linkDomain;
}
