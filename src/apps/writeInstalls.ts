import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Install } from '../models/Install.ts';

/** All that is stored of an install. */
export type InstallRow = Pick<
  Install,
  | 'id'
  | 'projectId'
  | 'installId'
  | 'platform'
  | 'appVersion'
  | 'osVersion'
  | 'device'
  | 'language'
  | 'firstOpenedAt'
  | 'installedAt'
  | 'method'
  | 'confidence'
  | 'factors'
  | 'clickedAt'
  | 'clickId'
  | 'linkId'
  | 'attributedAt'
  | 'matchRevisedAt'
  | 'firstOpenId'
  | 'firstOpenAt'
  | 'domain'
  | 'slug'
  | 'origin'
  | 'createdAt'
  | 'updatedAt'
>;

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  install_id: 'text',
  platform: 'text',
  app_version: 'text',
  os_version: 'text',
  device: 'text',
  language: 'text',
  first_opened_at: 'time',
  installed_at: 'time',
  method: 'text',
  confidence: 'integer',
  factors: 'json',
  clicked_at: 'time',
  click_id: 'text',
  link_id: 'text',
  attributed_at: 'time',
  match_revised_at: 'time',
  first_open_id: 'text',
  first_open_at: 'time',
  domain: 'text',
  slug: 'text',
  origin: 'json',
  created_at: 'time',
  updated_at: 'time',
} as const;
const NAMES = Object.keys(COLUMNS);
const KEPT = new Set(['id', 'project_id', 'install_id', 'created_at']);
const SETS = NAMES.filter((name) => !KEPT.has(name)).map((name) => `${name} = excluded.${name}`);

/** Inserts installs, or changes them to these. Whoever read them before has locked their names: see recordOpening. */
export async function writeInstalls(installs: readonly InstallRow[], transaction: Transaction): Promise<void> {
  await withJsonRows(
    COLUMNS,
    installs.map(valuesOf),
    `INSERT INTO installs (${NAMES.join(', ')}) SELECT ${NAMES.join(', ')} FROM given WHERE true
     ON CONFLICT (project_id, install_id) DO UPDATE SET ${SETS.join(', ')}`,
    transaction,
  );
}

function valuesOf(install: InstallRow): unknown[] {
  const { firstOpenedAt, installedAt, clickedAt, attributedAt, matchRevisedAt, firstOpenAt, createdAt, updatedAt } =
    install;
  const { id, projectId, installId, platform, appVersion, osVersion, method, confidence, factors } = install;
  const { device, language, clickId, linkId, firstOpenId, domain, slug, origin } = install;
  return [
    ...[id, projectId, installId, platform, appVersion, osVersion, device, language],
    ...[time(firstOpenedAt), time(installedAt)],
    ...[
      method,
      confidence,
      JSON.stringify(factors),
      time(clickedAt),
      clickId,
      linkId,
      time(attributedAt),
      time(matchRevisedAt),
    ],
    ...[firstOpenId, time(firstOpenAt), domain, slug, origin && JSON.stringify(origin)],
    ...[time(createdAt), time(updatedAt)],
  ];
}

function time(moment: Date | null): string | null {
  return moment && sqlTime(moment.getTime());
}
