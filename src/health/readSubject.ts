import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Domain } from '../models/Domain.ts';
import { type App, Project } from '../models/Project.ts';
import { Webhook } from '../models/Webhook.ts';
import { whyNoApps } from '../redirect/association/loadDomainApps.ts';
import { readDestinations } from './readDestinations.ts';

/** Everything that the checks of a project have to know of it. Hosts are as in URLs. */
export interface Subject {
  projectId: string;
  apps: App[];
  linkDomains: string[];
  /** Those of them whose files name no app of the project, and why, as sentences that say what to do. */
  withoutApps: Map<string, string>;
  /** Whether links that were followed of late open apps. */
  opensApps: boolean;
  /** Verified ones. */
  webDomains: string[];
  destinations: Destination[];
  webhooks: WatchedWebhook[];
  /** Of those that are good: how many, and when one was last used. */
  publishableKeys: { count: number; lastUsedAt: Date | null };
}

/** A place that visitors are sent to; `of` names the link or domain. */
export interface Destination {
  url: string;
  of: string;
}

export type WatchedWebhook = Pick<
  Webhook,
  'id' | 'url' | 'status' | 'disabledReason' | 'circuit' | 'consecutiveFailures'
>;

/** Of each kind; a project that has more is checked for the oldest ones. */
const MOST = 100;

/** Reads it all at once, outside of any transaction. Null: there is no such project. */
export async function readSubject(projectId: string): Promise<Subject | null> {
  const project = await Project.findByPk(projectId);
  if (!project) return null;
  const oldest = { order: [['createdAt', 'ASC']] as [string, string][], limit: MOST };
  const [domains, webhooks, publishableKeys] = await Promise.all([
    Domain.findAll({ where: { projectId, status: ['verified', 'failing'] }, ...oldest }),
    Webhook.findAll({
      attributes: ['id', 'url', 'status', 'disabledReason', 'circuit', 'consecutiveFailures'],
      where: { projectId },
      // Those in trouble first.
      order: [
        ['status', 'ASC'],
        ['consecutiveFailures', 'DESC'],
      ],
      limit: MOST,
    }),
    readPublishableKeys(projectId),
  ]);
  const own = domains.filter(({ kind }) => kind === 'link');
  const linkDomains = [
    ...new Set([project.defaultDomain ?? config.linkDomain, ...own.map(({ hostname }) => hostname)]),
  ];
  return {
    projectId,
    apps: project.apps,
    linkDomains,
    withoutApps: await readWithoutApps(linkDomains, project.teamId),
    webDomains: domains
      .filter(({ kind, status }) => kind === 'web' && status === 'verified')
      .map((web) => web.hostname),
    ...(await readDestinations(projectId, own)),
    webhooks,
    publishableKeys,
  };
}

async function readWithoutApps(linkDomains: string[], teamId: string): Promise<Map<string, string>> {
  const reasons = await Promise.all(
    linkDomains.map(async (domain) => [domain, await whyNoApps(domain, teamId)] as const),
  );
  return new Map(reasons.flatMap(([domain, why]) => (why === null ? [] : [[domain, why]])));
}

async function readPublishableKeys(projectId: string): Promise<Subject['publishableKeys']> {
  const [row] = await selectBound<{ count: number; used: string | Date | null }>(
    `SELECT COUNT(*) AS count, MAX(last_used_at) AS used FROM api_keys
     WHERE project_id = $1 AND kind = 'publishable' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [projectId, sqlTime(clock.now())],
  );
  return { count: Number(row?.count ?? 0), lastUsedAt: row?.used ? new Date(row.used) : null };
}
