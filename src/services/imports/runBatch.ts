import type { Transaction } from '../../db/sequelize.ts';
import type { Project } from '../../models/Project.ts';
import { Team } from '../../models/Team.ts';
import { applyDecisions, foretell } from './applyDecisions.ts';
import { whileClaimed } from './claimImport.ts';
import type { Decision } from './decision.ts';
import type { Halt, ImportRun } from './importRun.ts';
import { writeRows } from './rowReport.ts';

/** Does what was decided about the next rows of an import, in one transaction. */
export async function runBatch(run: ImportRun, decisions: Decision[]): Promise<Halt> {
  const outcome = await whileClaimed(run.claimed, async (current, transaction) => {
    if (!current.dryRun && (await isReadOnly(run.project, transaction))) return { halt: 'read_only' as const };
    const results = current.dryRun ? foretell(decisions) : await applyDecisions(run, decisions, transaction);
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
