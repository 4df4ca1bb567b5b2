import { appendFile } from 'node:fs/promises';
import type { Installation } from './Installation.ts';

const IMPORTED_ROWS = 3000;
/** How the destinations of imported links begin. */
export const IMPORTED_URL = 'https://www.example.org/imported/';
const REPLAYED_MS = 60_000;

/** Gives a kind of job a reason to run; the others run by themselves while there is load. `round` makes each reason new. */
type Reason = (installation: Installation, round: number) => Promise<unknown>;

const REASONS: Record<string, Reason> = {
  watchJournals: ({ store }, round) => store.ask(SILENT_JOURNAL, [`made-up-${round}`]),
  // The alert of such a journal is mailed.
  sendMails: ({ store }, round) => store.ask(SILENT_JOURNAL, [`made-up-mail-${round}`]),
  checkDomains: ({ customers }, round) =>
    customers.ask('POST', '/domains', { body: { hostname: `go${round}.example.org` } }),
  walkBlocklists: ({ blocklist }, round) => appendFile(blocklist, `listed-${round}.example\n`),
  runImports: ({ customers }, round) => customers.ask('POST', '/imports', { body: importedFile(round) }),
  replayEvents: ({ customers, receiver }) =>
    customers.ask('POST', `/webhooks/${receiver.webhookId('plain')}/replay`, {
      body: { since: new Date(Date.now() - REPLAYED_MS).toISOString(), status: 'all' },
    }),
  purgeDeleted: ({ store }, round) => store.ask(PURGED_PROJECT, [`prj_madeup${round}`]),
};

/** As a process leaves it that was silent for an hour. */
const SILENT_JOURNAL = `INSERT INTO click_journals (name, host, folder, heard_at, bytes, oldest_at, missing_at)
  VALUES ($1, 'made-up', '/nowhere', now() - interval '1 hour', 1, now() - interval '1 hour', now() - interval '50 minutes')
  ON CONFLICT DO NOTHING`;
/** A project that is gone, and is due to be looked at once more. */
const PURGED_PROJECT = `INSERT INTO purged_projects (id, purged_at, sweep_at)
  VALUES ($1, now() - interval '1 day', now()) ON CONFLICT DO NOTHING`;

/** Gives each of these kinds of jobs a reason to run that has one. */
export async function provokeJobs(
  installation: Installation,
  queues: ReadonlySet<string>,
  round: number,
): Promise<void> {
  for (const queue of queues) await REASONS[queue]?.(installation, round);
}

function importedFile(round: number): string {
  const rows = Array.from({ length: IMPORTED_ROWS }, (_, at) => `${IMPORTED_URL}${round}/${at}`);
  return `destination\n${rows.join('\n')}\n`;
}
