// stores: any
import { expect } from 'chai';
import { PROJECT_FILES, TEAM_FILES } from '../../../facade/archive/archiveFiles.ts';
import { openStoreIn } from '../../../src/db/query.ts';
import { tablesOf } from '../../../src/db/tables.ts';
import { useWorld } from '../../support/world.ts';

/** Why archives leave a table out. Every other table has to be in a file. */
const LEFT_OUT: Record<string, string> = {
  batched_events: 'which events of the archive came in one request',
  blocklist_walks: 'work in progress of the installation',
  click_arrivals: 'derived from clicks',
  click_backlog: 'derived from clicks',
  click_day_leases: 'work in progress of the installation',
  click_fold_turns: 'work in progress of the installation',
  click_blocks: 'derived from clicks',
  click_columns: 'derived from clicks',
  click_devices: 'kept for a few days, to match installs',
  awaited_clicks: 'work in progress of the installation',
  click_drains: 'work in progress of the installation',
  click_journals: 'work in progress of the installation',
  click_keys: 'derived from clicks',
  click_progress: 'work in progress of the installation',
  click_queue: 'clicks on their way to ClickHouse, which archives read',
  click_shares: 'work in progress of the installation',
  click_totals: 'derived from clicks',
  click_uncounted: 'derived from clicks',
  click_versions: 'derived from clicks',
  email_changes: 'tokens, and addresses of people',
  second_factor_undos: 'tokens of people',
  email_confirmations: 'tokens',
  event_names: 'derived from app events',
  first_account: 'a secret of the installation',
  health_checks: 'the last entries of health_history say the same',
  health_turns: 'work in progress of the installation',
  idempotency_records: 'answers that are kept for a day, some of them with secrets',
  import_chunks: 'the file of an import, until it has been read',
  import_rows: 'the report of an import, which GET /imports/{id}/rows gives',
  link_click_sums: 'derived from clicks',
  link_follows: 'work in progress of the installation',
  mails: 'mails to people, some of them with tokens',
  match_clicks: 'kept for a few days with hashes of addresses, to match installs',
  match_reports: 'the reasons of a match, which GET /installs/{id}/match gives for 90 days',
  new_account_links: 'a limit of the installation',
  outbox_readers: 'work in progress of the installation',
  password_resets: 'tokens',
  purged_projects: 'projects that the team has no more',
  rate_limits: 'limits of the installation',
  recovery_codes: 'hashes of secrets of people',
  released_domains: 'host names that the team has no more',
  replays: 'work in progress of the installation',
  seen_installs: 'kept for a few days with hashes of addresses, to match installs',
  sessions: 'secrets of people, who may be in other teams too',
  traffic_days: 'derived from clicks',
  traffic_incidents: 'work in progress; alerts say what came of it',
  traffic_watches: 'work in progress of the installation',
  used_clicks: 'derived from installs',
  users: 'people, who may be in other teams too; members show what the team may know of them',
  visitor_keys: 'secrets of the installation',
};

describe('the tables of the store', () => {
  useWorld();

  it('are in archives, or there is a reason', async () => {
    const archived = [...TEAM_FILES, ...PROJECT_FILES].flatMap(({ tables }) => tables);
    const known = [...new Set([...archived, ...Object.keys(LEFT_OUT)])].sort();
    expect(await tables()).to.deep.equal(known);
  });
});

/** All tables but those of the index over texts and of the migrations themselves. */
async function tables(): Promise<string[]> {
  const own = (name: string) => !/^(link_search|migrations$|migration_steps$)/.test(name);
  return (await tablesOf(openStoreIn())).filter(own);
}
