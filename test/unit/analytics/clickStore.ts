import type { KeyPrincipal } from '../../../src/access/principal.ts';
import { type AnalyticsInput, type AnalyticsResult, readAnalytics } from '../../../src/analytics/analyticsService.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Link } from '../../../src/models/Link.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { openStore } from '../../support/store.ts';

export const LINK_COUNT = 5;

/** An open store with a project of five links (external ids e0 … e4) and a key that may read its analytics. */
export interface ClickStore {
  projectId: string;
  links: string[];
  /** Another project, without clicks and with one link. */
  emptyProjectId: string;
  foreignLink: string;
  principal: KeyPrincipal;
  ask(input: Omit<AnalyticsInput, 'projectId'>): Promise<AnalyticsResult>;
  /** Stores a click of a person on the first link at that time, but for what `given` says. */
  click(at: string, given?: Partial<Click>): Promise<void>;
  store(clicks: Click[]): Promise<void>;
  close(): Promise<void>;
}

export async function openClickStore(): Promise<ClickStore> {
  const opened = await openStore();
  const project = { id: newId('prj'), teamId: newId('team') };
  const [emptyProjectId, foreignLink] = [newId('prj'), newId('lnk')];
  const links = Array.from({ length: LINK_COUNT }, () => newId('lnk'));
  await inTransaction(async (transaction) => {
    await Team.create({ id: project.teamId, name: 'Team' }, { transaction });
    await Project.create({ ...project, name: 'Project', apps: [] }, { transaction });
    await Project.create({ ...project, id: emptyProjectId, name: 'Empty', apps: [] }, { transaction });
    await Link.create(linkRow(foreignLink, emptyProjectId, 'foreign'), { transaction });
    await Link.bulkCreate(
      links.map((id, at) => linkRow(id, project.id, `e${at}`)),
      { transaction },
    );
  });
  const principal: KeyPrincipal = {
    kind: 'key',
    keyId: newId('key'),
    keyKind: 'secret',
    projectId: project.id,
    teamId: project.teamId,
    scopes: new Set(['analytics:read']),
  };
  const keep = async (clicks: Click[]) => {
    await storeClicks(clicks, { listening: () => false });
  };
  return {
    projectId: project.id,
    links,
    emptyProjectId,
    foreignLink,
    principal,
    ask: (input) => readAnalytics(principal, { projectId: project.id, ...input }),
    click: (at, given = {}) => keep([{ ...plainClick(project.id, links[0] ?? '', Date.parse(at)), ...given }]),
    store: keep,
    close: opened.close,
  };
}

export function plainClick(projectId: string, linkId: string, occurredAt: number): Click {
  return {
    teamId: '',
    tagIds: [],
    id: newId('clk'),
    projectId,
    linkId,
    domain: 'go.example.com',
    slug: 'spring',
    occurredAt,
    trafficClass: 'human',
    trafficReason: null,
    country: null,
    region: null,
    city: null,
    platform: 'ios',
    device: 'mobile',
    browser: null,
    language: null,
    referrerHost: null,
    destination: null,
    rule: null,
    utm: null,
    visitor: 'a visitor',
    addressHash: 'an address',
    osVersion: null,
    deviceModel: null,
  };
}

function linkRow(id: string, projectId: string, name: string): Record<string, unknown> {
  const destination = 'https://example.com/';
  return { id, projectId, domain: 'go.example.com', slug: name, destination, data: {}, externalId: name };
}
