import { config } from '../../kernel/config.ts';
import { linkOrigin } from '../../kernel/origins.ts';
import type { Asking } from '../Asking.ts';
import type { CheckResult } from '../Check.ts';
import { type Finding, summarize } from '../findings.ts';
import type { Subject } from '../readSubject.ts';
import { readFile } from './readFile.ts';

interface FileKind {
  path: string;
  /** Said when all is well. */
  good: string;
  /** What is wrong with a file of that content, in sentences that say what to do. */
  problemsOf(content: unknown, isLinkDomain: boolean): string[];
}

/**
 * Looks at the association file of each link domain, and of each verified web domain, where it is the customer's own and a
 * fault no more than a warning: not every site wants to be opened by the app.
 */
export async function checkFiles(
  { linkDomains, webDomains, withoutApps }: Subject,
  asking: Asking,
  { path, good, problemsOf }: FileKind,
): Promise<CheckResult | null> {
  const lookAt = async (host: string, isLinkDomain: boolean): Promise<Finding | null> => {
    const read = await readFile((isLinkDomain ? linkOrigin(host) : webOrigin(host)) + path, asking);
    if (read === null) return null;
    if ('finding' in read) return read.finding;
    const problems = problemsOf(read.content, isLinkDomain);
    if (problems.length === 0) return { status: 'pass', message: host };
    return { status: 'fail', message: `${host}${path}: ${problems.join(' ')}` };
  };
  const findings = await Promise.all([
    ...linkDomains.filter((host) => !withoutApps.has(host)).map((host) => lookAt(host, true)),
    ...[...withoutApps.values()].map((message): Finding => ({ status: 'warn', message })),
    ...webDomains.map(async (host) => softened(await lookAt(host, false))),
  ]);
  return summarize(findings, good);
}

/** What is said of a system that the project has no apps for; that is a fault only when links want to open some. */
export function missingApps({ apps, opensApps }: Subject, system: string): CheckResult {
  if (apps.length > 0 || !opensApps) return { status: 'skip', message: `The project has no ${system} apps.` };
  const message =
    'Links have open_app, and the project has no apps: they lead to the web. Register the apps in the project.';
  return { status: 'warn', message };
}

function softened(finding: Finding | null): Finding | null {
  return finding?.status === 'fail' ? { ...finding, status: 'warn' } : finding;
}

/** Sites are at the default port, but where things are tried out without https. */
function webOrigin(host: string): string {
  return config.baseUrl.startsWith('https:') ? `https://${host}` : linkOrigin(host);
}
