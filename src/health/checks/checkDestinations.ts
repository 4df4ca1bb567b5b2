import { describeFailure, type ProbeAnswer } from '../../net/probe.ts';
import { type CheckResult, type Finding, shortened, summarize } from '../findings.ts';
import { type ProbeSession, probePage } from '../ProbeSession.ts';
import type { CheckSubject, Destination } from '../readSubject.ts';

/** Statuses with which sites refuse programs although people get the page. */
const TO_BOTS = [401, 403, 405, 406, 429];
/** Nobody has defined these: LinkedIn and others answer 999 to programs. */
const FIRST_UNDEFINED = 600;
/** Headers of services that hold programs off, whose 503 asks for a browser. */
const GUARDS = ['cf-mitigated', 'x-datadome', 'x-iinfo', 'x-sucuri-id', 'x-amzn-waf-action', 'x-px', 'x-kpsdk-ct'];
const GUARDING_SERVERS = /cloudflare|akamaighost|ddos-guard|sucuri|imperva|incapsula|datadome/i;
const GONE = [404, 410];

/** Whether the default destinations of domains and the destinations of the most clicked links respond. */
export async function checkDestinations(
  { destinations }: CheckSubject,
  probes: ProbeSession,
): Promise<CheckResult | null> {
  if (destinations.length === 0) {
    return { status: 'skip', message: 'No link was clicked in the last day, and no domain has a default destination.' };
  }
  const byHost = Map.groupBy(destinations, ({ url }) => new URL(url).host);
  const findings = await Promise.all([...byHost.values()].map((ofHost) => checkHost(ofHost, probes)));
  return summarize(findings.flat(), 'Every destination responds.');
}

/** Sequential, so that at least some destinations of a slow host have results when the time is up. */
async function checkHost(destinations: Destination[], probes: ProbeSession): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = [];
  for (const destination of destinations) findings.push(await checkOne(destination, probes));
  return findings;
}

async function checkOne({ url, of }: Destination, probes: ProbeSession): Promise<Finding | null> {
  const answer = await probePage(url, probes);
  if (answer === null) return null;
  const where = `${shortened(url)} (${of})`;
  if (!('problem' in answer)) return findingOf(where, answer);
  const message = `${where} cannot be reached: ${describeFailure(answer)}.`;
  // Visitors inside that network may reach it, and a redirect into an app store leads to no web page.
  if (answer.problem === 'blocked_address' || answer.problem === 'bad_redirect') return { status: 'warn', message };
  return { status: 'fail', message: `${message} Fix it, or change the destination.` };
}

function findingOf(where: string, answer: ProbeAnswer): Finding {
  const { status } = answer;
  if (status < 400) return { status: 'pass', message: where };
  const said = `${where} responds with status ${status}.`;
  if (GONE.includes(status)) return { status: 'fail', message: `${said} The page is gone: change the destination.` };
  if (isToBots(answer)) {
    return {
      status: 'warn',
      message: `${said} The site may answer so to programs only: open it in a browser to make sure.`,
    };
  }
  if (status >= 500) return { status: 'fail', message: `${said} Fix the site, or change the destination.` };
  return { status: 'warn', message: `${said} Open it in a browser to see whether visitors get the page.` };
}

function isToBots({ status, headers }: ProbeAnswer): boolean {
  if (TO_BOTS.includes(status) || status >= FIRST_UNDEFINED) return true;
  const isGuarded =
    GUARDS.some((name) => headers[name] !== undefined) || GUARDING_SERVERS.test(String(headers.server ?? ''));
  return status === 503 && isGuarded;
}
