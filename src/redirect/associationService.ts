import { allowInProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { domainProblem, usableDomains } from '../domains/usableDomains.ts';
import { config } from '../kernel/config.ts';
import { validationFailed } from '../kernel/errors.ts';
import { canonicalHost, linkOrigin } from '../kernel/origins.ts';
import type { Project } from '../models/Project.ts';
import { ANDROID_PATH, APPLE_PATH, associationText } from './association.ts';
import { whyNoApps } from './domainApps.ts';

/** The files by which iOS and Android find the apps that open the links of a domain, as they are served now. */
export interface AssociationFiles {
  host: string;
  appleUrl: string;
  /** Null: none is served. */
  apple: string | null;
  androidUrl: string;
  android: string | null;
  /** Why no app of the project is named in them, and what to do; null if one is. */
  problem: string | null;
}

/**
 * The association files of a link domain of the project, its default domain unless given. Throws `validation_failed` for a
 * host that is none. Nothing is served for a deleted project.
 */
export async function readAssociationFiles(
  principal: Principal,
  project: Project,
  wanted: string | null,
): Promise<AssociationFiles> {
  // Nobody has scopes in a deleted project, and there is nothing left to protect.
  if (project.deletionAt) return noFilesOf(project, wanted);
  await allowInProject(principal, 'projects:read', project.id);
  const given = wanted ?? project.defaultDomain ?? config.linkDomain;
  const message = domainProblem(given, await usableDomains(project.id, [given]));
  if (message) throw validationFailed([{ path: 'host', message }]);
  const host = canonicalHost(given) as string;
  const domain = { hostname: host, projectId: host === config.linkDomain ? null : project.id };
  const [apple, android, shared] = await Promise.all([
    associationText(APPLE_PATH, domain),
    associationText(ANDROID_PATH, domain),
    whyNoApps(host, project.teamId),
  ]);
  const origin = linkOrigin(host);
  return {
    ...{ host, appleUrl: `${origin}${APPLE_PATH}`, apple, androidUrl: `${origin}${ANDROID_PATH}`, android },
    problem: shared ?? (apple === null && android === null ? whyNoFile(project) : null),
  };
}

function noFilesOf({ defaultDomain }: Project, wanted: string | null): AssociationFiles {
  const host = canonicalHost(wanted ?? defaultDomain ?? config.linkDomain) ?? config.linkDomain;
  const origin = linkOrigin(host);
  const urls = { appleUrl: `${origin}${APPLE_PATH}`, androidUrl: `${origin}${ANDROID_PATH}` };
  return { host, ...urls, apple: null, android: null, problem: 'The project is deleted: restore it first.' };
}

function whyNoFile({ apps }: Project): string {
  return apps.length === 0
    ? 'The project has no app yet. Add its iOS or Android app.'
    : 'The Android app has no fingerprint of its signing certificate yet. Add it.';
}
