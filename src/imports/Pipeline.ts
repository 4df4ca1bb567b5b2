import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Op, type Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { changeLinks } from '../links/changeLinks.ts';
import { insertLinks } from '../links/createLinks.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import type { CsvRow } from './csv.ts';
import {
  type Creation,
  type Decision,
  type Halt,
  type ImportRun,
  problemsOf,
  type RowResult,
  rowResult,
} from './decision.ts';
import { whileClaimed } from './importClaims.ts';
import { writeRows } from './importStore.ts';
import { planRows } from './planRows.ts';

const NO_KEYS: ReadonlySet<string> = new Set();

/** Imports rows in batches: plans the next batch while the one before it is written. */
export class Pipeline {
  readonly #run: ImportRun;
  readonly #signal: AbortSignal;
  #waiting: CsvRow[] = [];
  #size = config.importBatchRows;
  #writing: Promise<Halt> = Promise.resolve(null);
  /** Keys of the rows that are being written. */
  #keysInProgress = NO_KEYS;

  /** Stops between two batches when `signal` is aborted. */
  constructor(run: ImportRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Adds the next row. Returns why the import stopped, or null. */
  async push(row: CsvRow): Promise<Halt> {
    this.#waiting.push(row);
    while (this.#waiting.length >= config.importBatchRows) {
      const halt = await this.#batch();
      if (halt) return halt;
    }
    return null;
  }

  /** Writes the remaining rows. Returns why the import stopped, or null when all rows are in the store. */
  async finish(): Promise<Halt> {
    while (this.#waiting.length > 0) {
      const halt = await this.#batch();
      if (halt) return halt;
    }
    return this.#writing;
  }

  /** Waits for the batch that is being written, whether it succeeds or fails. */
  async waitUntilIdle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #batch(): Promise<Halt> {
    if (this.#signal.aborted) return (await this.#writing) ?? 'stopping';
    const planning = planRows(this.#run, this.#waiting.slice(0, this.#size), this.#keysInProgress);
    const [{ decisions, keys }, halt] = await Promise.all([planning, this.#writing]);
    this.#keysInProgress = NO_KEYS;
    if (halt) return halt;
    // The first row repeats a link of the batch that has just been written: it is planned again.
    if (decisions.length === 0) return null;
    // In files that repeat links often, most of a large batch would be read in vain each time.
    this.#size = Math.min(decisions.length * 2, config.importBatchRows);
    this.#waiting = this.#waiting.slice(decisions.length);
    this.#keysInProgress = keys;
    this.#writing = runBatch(this.#run, decisions);
    // An error is handled where the batch is awaited next, not as an unhandled rejection.
    this.#writing.catch(() => {});
    // Redirects and requests of this process are served between two batches.
    await yieldToEventLoop();
    return null;
  }
}

/** Applies the decisions about a batch of rows in one transaction, with the report and the counts. */
async function runBatch(run: ImportRun, decisions: Decision[]): Promise<Halt> {
  const outcome = await whileClaimed(run.claimed, async (current, transaction) => {
    if (!(await Project.findByPk(current.projectId, { transaction }))) return { halt: 'deleted' as const };
    if (!current.dryRun && (await isReadOnly(run.project, transaction))) return { halt: 'read_only' as const };
    const results = current.dryRun ? predictResults(decisions) : await applyDecisions(run, decisions, transaction);
    await writeRows(current.id, results, transaction);
    for (const result of results) current[result.outcome] += 1;
    current.breakdowns = 0;
    await current.save({ transaction });
    return { halt: null };
  });
  return outcome ? outcome.halt : 'lost';
}

async function isReadOnly(project: Project, transaction: Transaction): Promise<boolean> {
  return (await Team.findByPk(project.teamId, { transaction }))?.status === 'read_only';
}

/** Creates and changes links as decided. Returns the result of each row, in their order. */
async function applyDecisions(run: ImportRun, decisions: Decision[], transaction: Transaction): Promise<RowResult[]> {
  const creations = decisions.filter((decision) => 'create' in decision);
  const updates = decisions.filter((decision) => 'change' in decision);
  const created = (await createLinks(run, creations, transaction)).values();
  const changed = (
    await changeLinks(
      run.project,
      updates.map(({ change }) => change),
      transaction,
    )
  ).values();
  return decisions.map((decision) => {
    if ('outcome' in decision) return decision;
    const isNew = 'create' in decision;
    const result = (isNew ? created : changed).next().value as Link | CodedError;
    if (result instanceof CodedError) return rowResult(decision, 'failed', problemsOf(run.plan, result));
    return rowResult(decision, isNew ? 'created' : 'updated', decision.notes, result.id);
  });
}

async function createLinks({ project, claimed }: ImportRun, creations: Creation[], transaction: Transaction) {
  const prepared = creations.map(({ create: link }) => link);
  const created = await insertLinks(project, prepared, { batchId: claimed.batchId }, transaction);
  const archived = created.flatMap((link, at) => (link instanceof Link && creations[at]?.archived ? [link.id] : []));
  // These links were never in use, so archiving them is no event.
  if (archived.length > 0) {
    await Link.update({ archivedAt: now() }, { where: { id: { [Op.in]: archived } }, transaction });
  }
  return created;
}

/** The results that a dry run reports instead. */
function predictResults(decisions: Decision[]): RowResult[] {
  return decisions.map((decision) => {
    if ('outcome' in decision) return decision;
    return 'create' in decision
      ? rowResult(decision, 'created', decision.notes)
      : rowResult(decision, 'updated', decision.notes, decision.change.linkId);
  });
}
