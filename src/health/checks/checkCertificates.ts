import { clock, DAY_MS } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { linkOrigin } from '../../kernel/origins.ts';
import { type CheckResult, type Finding, summarize } from '../findings.ts';
import type { ProbeSession, SeenCertificate } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';

/** Keyed by Node's error codes. All other codes mean that no trusted authority signed the certificate. */
const REFUSALS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired: renew it',
  CERT_NOT_YET_VALID: 'is not valid yet: make sure that the clocks of both machines are right',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name: get one for this name',
};
const UNTRUSTED = 'is not signed by an authority that browsers trust: get one that is, and serve its whole chain';

/** Whether browsers accept the certificate of each link domain, and for how long. */
export async function checkCertificates(
  { linkDomains }: CheckSubject,
  probes: ProbeSession,
): Promise<CheckResult | null> {
  if (!config.baseUrl.startsWith('https:')) {
    return { status: 'skip', message: 'Links are served without certificates because BASE_URL starts with http:.' };
  }
  const findings = await Promise.all(
    linkDomains.map(async (domain) => findingOf(domain, await probes.certificateOf(linkOrigin(domain)))),
  );
  return summarize(findings, 'Every certificate is valid.');
}

function findingOf(domain: string, seen: SeenCertificate | null): Finding | null {
  if (seen === null) return null;
  if ('endsAt' in seen) return expiryFinding(domain, seen.endsAt);
  if (seen.problem !== 'tls') {
    return {
      status: 'skip',
      message: `The certificate could not be checked: ${domain} cannot be reached (${seen.detail}).`,
    };
  }
  const isCertificate = /CERT|SIGNATURE|ISSUER|CA\b/.test(seen.code);
  const refusal = isCertificate
    ? `The certificate of ${domain} ${REFUSALS[seen.code] ?? UNTRUSTED}.`
    : `${domain} does not accept encrypted connections: make sure that it supports TLS 1.2 or later.`;
  return { status: 'fail', message: `${refusal} (${seen.detail})` };
}

function expiryFinding(domain: string, endsAt: Date): Finding {
  const days = Math.floor((endsAt.getTime() - clock.now()) / DAY_MS);
  if (days >= config.certificateWarningDays) return { status: 'pass', message: domain };
  const end = endsAt.toISOString().slice(0, 10);
  const message = `The certificate of ${domain} expires in ${Math.max(0, days)} days, on ${end}: renew it, and find out why it was not renewed automatically.`;
  return { status: 'warn', message };
}
