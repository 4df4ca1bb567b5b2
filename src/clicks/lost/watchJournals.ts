import { Gauge } from 'prom-client';
import { OPERATOR_TEAMS } from '../../access/operatorTeams.ts';
import { raiseAlert, resolveAlert } from '../../alerts/raiseAlert.ts';
import { isStoreShared } from '../../db/connection/database.ts';
import { query, queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { log } from '../../kernel/log.ts';
import { registry } from '../../kernel/metrics.ts';
import { ADMIN_CALL } from '../../kernel/version.ts';
import {
  claimAlert,
  forgetJournal,
  forgetLost,
  hasSilentJournals,
  type LostJournal,
  markMissing,
  readLost,
} from './journalStore.ts';
import { ownJournals } from './reportJournal.ts';

const INCIDENT = 'journal_lost:';

/** Whether a process is silent, or an alert about one is open. */
export async function isJournalWatchDue(): Promise<boolean> {
  return isStoreShared() && ((await hasSilentJournals()) || (await openIncidents()).length > 0);
}

/**
 * Raises an alert for every journal whose process has been silent for ten minutes, and resolves those whose process is back or
 * whose clicks were moved. It goes to the operator's first team: the journal has clicks of every team. An alert that people
 * resolve by hand means that they give the journal up: it is forgotten.
 */
export async function watchJournals(): Promise<void> {
  await markMissing(ownJournals);
  const lost = await readLost();
  const open = new Set(await openIncidents());
  for (const journal of lost) {
    const incident = `${INCIDENT}${journal.name}`;
    if (journal.wasAlerted && !open.has(incident))
      await inTransaction((transaction) => forgetJournal(journal.name, transaction));
    else await inTransaction((transaction) => raise(journal, incident, transaction));
    open.delete(incident);
  }
  for (const incident of open) await inTransaction((transaction) => resolveAlert(transaction, incident));
}

/** Forgets a journal whose clicks were moved, and resolves its alert; not if its process is back. */
export async function settleLost(name: string): Promise<void> {
  await inTransaction(async (transaction) => {
    if (await forgetLost(name, transaction)) await resolveAlert(transaction, `${INCIDENT}${name}`);
  });
}

async function raise(journal: LostJournal, incident: string, transaction: Transaction): Promise<void> {
  if (!(await claimAlert(journal.name, transaction))) return;
  const { host, folder, bytes, oldestMs } = journal;
  const heardAt = new Date(journal.heardMs).toISOString();
  transaction.afterCommit(() =>
    log.error({ host, folder, bytes, heardAt }, 'a process with a click journal is gone; its clicks are not counted'),
  );
  const [team] = await query<{ id: string }>(`${OPERATOR_TEAMS} ORDER BY created_at, id LIMIT 1`, {}, transaction);
  if (!team) return;
  await raiseAlert(transaction, {
    teamId: team.id,
    projectId: null,
    incident,
    kind: 'lost_journal',
    severity: bytes > 0 ? 'critical' : 'warning',
    title: 'A process that serves links is gone, with clicks on its disk',
    message:
      `The process on ${host} has not been heard of since ${heardAt}. ` +
      (bytes > 0
        ? `At that time ${bytes} bytes of clicks were waiting in ${folder}; they are not counted yet.`
        : `Clicks that it answered after that may be in ${folder}; they are not counted yet.`) +
      ` Start it again with the same DATA_DIR, or run "${ADMIN_CALL} drain" on that folder. If the disk is gone, resolve this alert.`,
    details: {
      host,
      folder,
      bytes,
      heard_at: heardAt,
      oldest_click_at: oldestMs === null ? null : new Date(oldestMs).toISOString(),
    },
  });
}

/** Incidents of open alerts about journals. */
async function openIncidents(): Promise<string[]> {
  const rows = await queryRaw<{ incident: string }>(
    'SELECT incident FROM alerts WHERE resolved_at IS NULL AND incident >= $1 AND incident < $2',
    [INCIDENT, INCIDENT.replace(':', ';')],
  );
  return rows.map(({ incident }) => incident);
}

const GAUGES: [name: string, help: string, read: (lost: LostJournal[]) => number][] = [
  [
    'svc_click_journals_lost',
    'Click journals of processes that have not been heard of for ten minutes.',
    (lost) => lost.length,
  ],
  [
    'svc_click_journals_lost_bytes',
    'Bytes of clicks that were waiting in those journals when their processes were last heard of.',
    (lost) => lost.reduce((sum, { bytes }) => sum + bytes, 0),
  ],
];

/** Shows in /metrics how many journals are lost in the whole installation. Every process that runs jobs shows the same. */
export function showLostJournals(): void {
  for (const [name] of GAUGES) registry.removeSingleMetric(name);
  if (!isStoreShared()) return;
  // Both gauges of one scrape share a query.
  let shared: Promise<LostJournal[]> | null = null;
  const readShared = () => {
    shared ??= readLost().finally(() => setTimeout(() => (shared = null), 100).unref());
    return shared;
  };
  for (const [name, help, read] of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // While the store is away, the last figures are shown.
        const lost = await readShared().catch(() => null);
        if (lost) this.set(read(lost));
      },
    });
  }
}
