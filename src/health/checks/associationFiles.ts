import { config } from '../../kernel/config.ts';
import { linkOrigin } from '../../kernel/origins.ts';
import { type CheckResult, type Finding, shortened, summarize, unreachable } from '../findings.ts';
import type { ProbeSession } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';

interface FileKind {
  path: string;
  /** The message if everything passes. */
  good: string;
  /** What is wrong with the file's content, as sentences that say what to do. */
  problemsOf(content: unknown, isLinkDomain: boolean): string[];
}

/**
 * Checks the association file of each link domain and each verified web domain. On a web domain, the file belongs to the
 * customer and a fault is only a warning: not every site is meant to open the app.
 */
export async function checkAssociationFiles(
  { linkDomains, webDomains, withoutApps }: CheckSubject,
  probes: ProbeSession,
  { path, good, problemsOf }: FileKind,
): Promise<CheckResult | null> {
  const checkHost = async (host: string, isLinkDomain: boolean): Promise<Finding | null> => {
    const read = await fetchAssociationFile((isLinkDomain ? linkOrigin(host) : webOrigin(host)) + path, probes);
    if (read === null) return null;
    if ('finding' in read) return read.finding;
    const problems = problemsOf(read.content, isLinkDomain);
    if (problems.length === 0) return { status: 'pass', message: host };
    return { status: 'fail', message: `${host}${path}: ${problems.join(' ')}` };
  };
  const findings = await Promise.all([
    ...linkDomains.filter((host) => !withoutApps.has(host)).map((host) => checkHost(host, true)),
    ...[...withoutApps.values()].map((message): Finding => ({ status: 'warn', message })),
    ...webDomains.map(async (host) => softened(await checkHost(host, false))),
  ]);
  return summarize(findings, good);
}

/** The result for a platform that the project has no apps for. It is only a fault if links are set to open apps. */
export function missingApps({ apps, opensApps }: CheckSubject, system: string): CheckResult {
  if (apps.length > 0 || !opensApps) return { status: 'skip', message: `The project has no ${system} apps.` };
  const message =
    'Links have open_app set, but the project has no apps, so they lead to the web. Add the apps to the project.';
  return { status: 'warn', message };
}

function softened(finding: Finding | null): Finding | null {
  return finding?.status === 'fail' ? { ...finding, status: 'warn' } : finding;
}

/** Web domains are served on the default port, except in trial installations without https. */
function webOrigin(host: string): string {
  return config.baseUrl.startsWith('https:') ? `https://${host}` : linkOrigin(host);
}

/** Apple ignores larger files. */
const MAX_BYTES = 128 * 1024;

/** The file's content, or what is wrong with the way it is served; null if the run ended first. */
type FetchedFile = { content: unknown } | { finding: Finding } | null;

/** Requests an association file as the platforms do: no redirects, valid JSON with its content type, not too large. */
async function fetchAssociationFile(url: string, probes: ProbeSession): Promise<FetchedFile> {
  const answer = await probes.probe(url, { maxBytes: MAX_BYTES });
  if (answer === null) return null;
  if ('problem' in answer)
    return { finding: unreachable(url, answer, 'Until it can be reached, its links do not open apps.') };
  const { status, headers, body, isCut } = answer;
  const type = String(headers['content-type'] ?? '');
  const bad = (what: string): FetchedFile => ({ finding: { status: 'fail', message: `${shortened(url)} ${what}` } });
  if (status >= 300 && status < 400)
    return bad('redirects, which iOS and Android do not follow: serve the file itself at this URL.');
  if (status !== 200)
    return bad(`responds with status ${status} instead of the file: let requests for it through to this service.`);
  if (isCut)
    return bad(`is larger than ${MAX_BYTES / 1024} KiB, the most that Apple reads: list fewer apps and paths.`);
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return bad(`has the content type "${type.slice(0, 100)}": serve it as application/json.`);
  }
  try {
    return { content: JSON.parse(body) };
  } catch {
    return bad('is not valid JSON: correct it.');
  }
}

/** Whether a JSON value is an object, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an array, else an empty array. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
