import { Op, type Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { Link } from '../../models/Link.ts';
import { changeLinks } from '../links/changeLinks.ts';
import { insertLinks } from '../links/insertLinks.ts';
import { type Creation, type Decision, problemsOf, type RowResult, settled } from './decision.ts';
import type { ImportRun } from './importRun.ts';

/** Makes and changes links as was decided; gives what became of each row, in their order. */
export async function applyDecisions(
  run: ImportRun,
  decisions: Decision[],
  transaction: Transaction,
): Promise<RowResult[]> {
  const creations = decisions.filter((decision) => 'create' in decision);
  const updates = decisions.filter((decision) => 'change' in decision);
  const made = (await create(run, creations, transaction)).values();
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
    const result = (isNew ? made : changed).next().value as Link | CodedError;
    if (result instanceof CodedError) return settled(decision, 'failed', problemsOf(run.plan, result));
    return settled(decision, isNew ? 'created' : 'updated', decision.notes, result.id);
  });
}

async function create({ project, claimed }: ImportRun, creations: Creation[], transaction: Transaction) {
  const prepared = creations.map(({ create: link }) => link);
  const made = await insertLinks(project, prepared, { batchId: claimed.batchId }, transaction);
  const archived = made.flatMap((link, at) => (link instanceof Link && creations[at]?.archived ? [link.id] : []));
  // They were never in use, so that nobody is told of their archiving.
  if (archived.length > 0)
    await Link.update({ archivedAt: now() }, { where: { id: { [Op.in]: archived } }, transaction });
  return made;
}

/** What a dry run says instead. */
export function foretell(decisions: Decision[]): RowResult[] {
  return decisions.map((decision) => {
    if ('outcome' in decision) return decision;
    return 'create' in decision
      ? settled(decision, 'created', decision.notes)
      : settled(decision, 'updated', decision.notes, decision.change.linkId);
  });
}
