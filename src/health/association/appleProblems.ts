import type { IosApp } from '../../models/Project.ts';
import { isObject, listOf } from './json.ts';
import { type Component, opensPath } from './opensPath.ts';

const TEAM_ID = /^[A-Z0-9]{10}$/;

/** What is wrong with an apple-app-site-association file for these apps, in sentences that say what to do. */
export function appleProblems(content: unknown, apps: readonly IosApp[], isLinkDomain: boolean): string[] {
  const applinks = isObject(content) ? content.applinks : undefined;
  const details = isObject(applinks) ? listOf(applinks.details).filter(isObject) : [];
  if (details.length === 0) return ['has no applinks.details: it must list the apps there.'];
  return apps.flatMap(({ team_id, bundle_id }) => {
    if (!TEAM_ID.test(team_id)) {
      return [
        `The team id ${team_id} of ${bundle_id} is none: give the ten capitals and digits of your Apple account.`,
      ];
    }
    const appId = `${team_id}.${bundle_id}`;
    const mine = details.filter((detail) => detail.appID === appId || listOf(detail.appIDs).includes(appId));
    if (mine.length === 0) return [`${appId} is not named: add it, or correct the team and bundle id in the project.`];
    return isLinkDomain ? pathProblems(mine, appId) : [];
  });
}

/** Any path that no app may take from us. */
const OWN_PATH = '/.well-known/any';

function pathProblems(details: Record<string, unknown>[], appId: string): string[] {
  const components = details.flatMap((detail) => listOf(detail.components)).filter(isObject) as Component[];
  if (components.length === 0) return [`${appId} has no components: without them the app opens no link.`];
  if (!opensPath(components, OWN_PATH)) return [];
  return [`${appId} would open ${OWN_PATH}, which this service answers itself: exclude /.well-known/*.`];
}
