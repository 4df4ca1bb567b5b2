import type { IosApp } from '../../models/Project.ts';
import type { CheckResult } from '../findings.ts';
import type { ProbeSession } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';
import { checkAssociationFiles, isObject, listOf, missingApps } from './associationFiles.ts';

/** Whether iOS finds every app of the project in the association file of every domain. */
export async function checkAppleFiles(subject: CheckSubject, probes: ProbeSession): Promise<CheckResult | null> {
  const apps = subject.apps.filter((app): app is IosApp => app.platform === 'ios');
  if (apps.length === 0) return missingApps(subject, 'iOS');
  return checkAssociationFiles(subject, probes, {
    path: '/.well-known/apple-app-site-association',
    good: 'iOS finds every app.',
    problemsOf: (content, isLinkDomain) => appleProblems(content, apps, isLinkDomain),
  });
}

const TEAM_ID = /^[A-Z0-9]{10}$/;

/** What is wrong with an apple-app-site-association file for these apps, as sentences that say what to do. */
export function appleProblems(content: unknown, apps: readonly IosApp[], isLinkDomain: boolean): string[] {
  const applinks = isObject(content) ? content.applinks : undefined;
  const details = isObject(applinks) ? listOf(applinks.details).filter(isObject) : [];
  if (details.length === 0) return ['The file has no applinks.details, where the apps must be listed.'];
  return apps.flatMap(({ team_id, bundle_id }) => {
    if (!TEAM_ID.test(team_id)) {
      return [
        `The team ID ${team_id} of ${bundle_id} is not valid: use the ten capital letters and digits of your Apple developer account.`,
      ];
    }
    const appId = `${team_id}.${bundle_id}`;
    const mine = details.filter((detail) => detail.appID === appId || listOf(detail.appIDs).includes(appId));
    if (mine.length === 0)
      return [`${appId} is not listed: add it, or correct the team ID and bundle ID in the project.`];
    return isLinkDomain ? pathProblems(mine, appId) : [];
  });
}

/** A path that no app may open, because this service answers it. */
const OWN_PATH = '/.well-known/any';

function pathProblems(details: Record<string, unknown>[], appId: string): string[] {
  const components = details.flatMap((detail) => listOf(detail.components)).filter(isObject) as Component[];
  if (components.length === 0) return [`${appId} has no components, so the app opens no links: add them.`];
  if (!opensPath(components, OWN_PATH)) return [];
  return [`${appId} would open ${OWN_PATH}, which this service answers itself: exclude /.well-known/*.`];
}

/** An entry of `components`, not validated. */
type Component = Record<string, unknown>;

/** Whether iOS opens the path with the app: the first matching component decides. Components with a query or fragment do not match. */
function opensPath(components: readonly Component[], path: string): boolean {
  const first = components.find((component) => {
    const pattern = component['/'] ?? '*';
    const isPathOnly = component['?'] === undefined && component['#'] === undefined;
    return isPathOnly && typeof pattern === 'string' && matches(pattern, path);
  });
  return first !== undefined && first.exclude !== true;
}

/**
 * `*` stands for any text, `?` for one character. No regular expression, because a malicious pattern could make it backtrack
 * for ever; this takes at most the product of both lengths.
 */
function matches(pattern: string, path: string): boolean {
  let [at, star, retry] = [0, -1, 0];
  for (let read = 0; read < path.length; ) {
    if (pattern[at] === '*') {
      star = at;
      retry = read;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === path[read]) {
      at += 1;
      read += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      read = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
