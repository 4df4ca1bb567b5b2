import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { linkOrigin } from '../../kernel/origins.ts';
import type { Asking } from '../Asking.ts';
import type { CheckResult } from '../Check.ts';
import { type Finding, summarize } from '../findings.ts';
import type { SeenCertificate } from '../readCertificate.ts';
import type { Subject } from '../readSubject.ts';

/** By the codes of Node; others: nobody that is trusted vouches for it. */
const REFUSALS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired: renew it',
  CERT_NOT_YET_VALID: 'is not valid yet: see that the clocks of both machines are right',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name: get one for this name',
};
const UNTRUSTED =
  'is not vouched for by an authority that browsers trust: get one from such, and serve its whole chain';

/** Whether the certificate of each link domain is what browsers accept, and for how long yet. */
export async function checkCertificates({ linkDomains }: Subject, asking: Asking): Promise<CheckResult | null> {
  if (!config.baseUrl.startsWith('https:')) {
    return { status: 'skip', message: 'Links are served without certificates: BASE_URL begins with http.' };
  }
  const findings = await Promise.all(
    linkDomains.map(async (domain) => judge(domain, await asking.certificateOf(linkOrigin(domain)))),
  );
  return summarize(findings, 'Every certificate is good.');
}

function judge(domain: string, seen: SeenCertificate | null): Finding | null {
  if (seen === null) return null;
  if ('endsAt' in seen) return judgeEnd(domain, seen.endsAt);
  if (seen.problem !== 'tls') {
    return { status: 'skip', message: `No certificate was seen: ${domain} cannot be reached (${seen.detail}).` };
  }
  const isCertificate = /CERT|SIGNATURE|ISSUER|CA\b/.test(seen.code);
  const refusal = isCertificate
    ? `The certificate of ${domain} ${REFUSALS[seen.code] ?? UNTRUSTED}.`
    : `${domain} makes no encrypted connection: see that it speaks TLS 1.2 or later.`;
  return { status: 'fail', message: `${refusal} (${seen.detail})` };
}

function judgeEnd(domain: string, endsAt: Date): Finding {
  const days = Math.floor((endsAt.getTime() - clock.now()) / DAY_MS);
  if (days >= config.certificateWarningDays) return { status: 'pass', message: domain };
  const end = endsAt.toISOString().slice(0, 10);
  const message = `The certificate of ${domain} ends in ${Math.max(0, days)} days, on ${end}: renew it, and see why that was not done by itself.`;
  return { status: 'warn', message };
}
