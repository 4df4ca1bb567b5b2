import { authorizeOwner, authorizeProject, requireSession } from '../access/authorize.ts';
import { NOBODY, type Principal } from '../access/principal.ts';
import { renewedPrincipal } from '../accounts/sessionService.ts';
import { ARCHIVED_APP_EVENTS } from '../attribution/appEventsStore.ts';
import { ARCHIVED_OPENS } from '../attribution/opensStore.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { clickStore } from '../clicks/chosenStore.ts';
import type { KeysetPosition } from '../db/paging.ts';
import { type ProjectRows, type ProjectTable, readProjectRows } from '../db/projectRows.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { showGauge } from '../kernel/metrics.ts';
import type { Team } from '../models/Team.ts';
import { ARCHIVED_ORPHANS } from '../redirect/orphanStore.ts';

/** Tables whose rows no list of the API shows as they are. */
const TABLES = {
  clicks: (projectId, after, count) => clickStore().readArchived(projectId, after, count),
  orphans: rowsOf(ARCHIVED_ORPHANS),
  opens: rowsOf(ARCHIVED_OPENS),
  app_events: rowsOf(ARCHIVED_APP_EVENTS),
} satisfies Record<string, ReadRows>;

type ReadRows = (projectId: string, after: KeysetPosition | null, count: number) => Promise<ProjectRows>;

function rowsOf(table: ProjectTable): ReadRows {
  return (projectId, after, count) => readProjectRows(table, projectId, after, count);
}

/** An archive that is being written. */
export interface OpenArchive {
  team: Pick<Team, 'id' | 'name'>;
  beganAt: Date;
  /** Aborted when the process stops. */
  signal: AbortSignal;
  /** Throws `not_signed_in`, `not_found` or `insufficient_scope` once the person may not have the archive any more. */
  checkAccess(): Promise<void>;
  /** A page of rows of a project, newest first. Throws `not_found` for a project of others. */
  rows(table: keyof typeof TABLES, projectId: string, after: KeysetPosition | null): Promise<ProjectRows>;
  /** Must be called at the end, however it ends. */
  close(): void;
}

/** Archives that one process writes at a time. Each keeps a core busy with compression, and reads one page after the other. */
const MAX_ARCHIVES = 2;
/** Rows of a page: a few hundred KB, which are read in some milliseconds. */
const ROWS_PER_PAGE = 500;
/** Until then a client that was refused may try again. Archives take from a second to an hour. */
const RETRY_SECONDS = 30;

/** The archives that this process writes. */
export class TeamArchives {
  /** By the id of the team. */
  readonly #running = new Map<string, { userId: string; controller: AbortController }>();
  #isStopping = false;

  constructor() {
    showGauge('svc_team_archives', 'Archives of teams that are being written.', () => this.#running.size);
  }

  /**
   * Begins an archive of everything that a team has, also in survival mode, and records that in the audit log. Throws what
   * `authorizeOwner` throws, `conflict` while another archive of the team or for the person is written, `rate_limited` and
   * `unavailable`.
   */
  async open(principal: Principal, teamId: string): Promise<OpenArchive> {
    const session = requireSession(principal);
    const { id, name } = await authorizeOwner(principal, teamId);
    const controller = this.#reserve(id, session.userId);
    const close = () => void this.#running.delete(id);
    try {
      const about = { teamId: id, projectId: null, subjectId: id, subjectName: name };
      await inTransaction((transaction) => recordAudit(transaction, principal, { ...about, action: 'team.exported' }));
    } catch (error) {
      close();
      throw error;
    }
    return {
      team: { id, name },
      beganAt: now(),
      signal: controller.signal,
      checkAccess: async () => void (await authorizeOwner((await renewedPrincipal(session)) ?? NOBODY, id)),
      async rows(table, projectId, after) {
        await authorizeProject(principal, 'analytics:read', projectId);
        return TABLES[table](projectId, after, ROWS_PER_PAGE);
      },
      close,
    };
  }

  /** Breaks off all archives: they may take an hour, and a file that is cut off is no archive. */
  stop(): void {
    this.#isStopping = true;
    for (const { controller } of this.#running.values()) controller.abort();
  }

  /** A person with several teams gets one place, so that two are needed to keep everybody else waiting. */
  #reserve(teamId: string, userId: string): AbortController {
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    if (this.#isStopping) throw new CodedError('unavailable', 'The service is restarting. Try again later.', retry);
    if (this.#running.has(teamId)) {
      throw new CodedError(
        'conflict',
        'An archive of this team is being downloaded. Try again when it is done.',
        retry,
      );
    }
    if ([...this.#running.values()].some((running) => running.userId === userId)) {
      const message = 'You are downloading the archive of another team. Try again when it is done.';
      throw new CodedError('conflict', message, retry);
    }
    if (this.#running.size >= MAX_ARCHIVES) {
      const message = 'Archives of other teams are being downloaded. Try again in a few minutes.';
      throw new CodedError('rate_limited', message, retry);
    }
    const controller = new AbortController();
    this.#running.set(teamId, { userId, controller });
    return controller;
  }
}
