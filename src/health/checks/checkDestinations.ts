import type { ProbeAnswer } from '../../net/probe.ts';
import { problemText } from '../../net/problemText.ts';
import type { Asking } from '../Asking.ts';
import { askPage } from '../askPage.ts';
import type { CheckResult } from '../Check.ts';
import { type Finding, named, summarize } from '../findings.ts';
import type { Destination, Subject } from '../readSubject.ts';

/** What sites say to programs that they take for no visitor. */
const TO_BOTS = [401, 403, 429];
const GONE = [404, 410];

/** Whether the default destinations of domains and those of the most followed links answer. */
export async function checkDestinations({ destinations }: Subject, asking: Asking): Promise<CheckResult | null> {
  if (destinations.length === 0) {
    return { status: 'skip', message: 'No link was followed within a day, and no domain has a default destination.' };
  }
  const byHost = Map.groupBy(destinations, ({ url }) => new URL(url).host);
  const findings = await Promise.all([...byHost.values()].map((ofHost) => lookAtAll(ofHost, asking)));
  return summarize(findings.flat(), 'Every destination answers.');
}

/** One after the other to the end, so that something is known of a slow host when time is up. */
async function lookAtAll(destinations: Destination[], asking: Asking): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = [];
  for (const destination of destinations) findings.push(await lookAt(destination, asking));
  return findings;
}

async function lookAt({ url, of }: Destination, asking: Asking): Promise<Finding | null> {
  const answer = await askPage(url, asking);
  if (answer === null) return null;
  const where = `${named(url)} (${of})`;
  if (!('problem' in answer)) return judge(where, answer);
  const message = `${where} cannot be reached: ${problemText(answer)}.`;
  // Visitors inside that network may see it, and an app's store is no page of the web.
  if (answer.problem === 'blocked_address' || answer.problem === 'bad_redirect') return { status: 'warn', message };
  return { status: 'fail', message: `${message} Repair it, or change the destination.` };
}

function judge(where: string, { status }: ProbeAnswer): Finding {
  if (status < 400) return { status: 'pass', message: where };
  const said = `${where} answers with status ${status}.`;
  if (GONE.includes(status)) return { status: 'fail', message: `${said} The page is gone: change the destination.` };
  if (status >= 500) return { status: 'fail', message: `${said} Repair the site, or change the destination.` };
  if (TO_BOTS.includes(status)) {
    return { status: 'warn', message: `${said} That may be meant for programs alone: open it in a browser.` };
  }
  return { status: 'warn', message: `${said} Open it in a browser to see whether visitors get a page.` };
}
