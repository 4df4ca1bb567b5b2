import { announce } from '../db/announce.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Domain } from '../models/Domain.ts';
import { Project } from '../models/Project.ts';

/** New links of the project go to the default of the service again, if they went to this domain. */
export async function leaveDefaultDomain(
  { projectId, hostname }: Pick<Domain, 'projectId' | 'hostname'>,
  transaction: Transaction,
): Promise<void> {
  const [left] = await Project.update(
    { defaultDomain: null },
    { where: { id: projectId, defaultDomain: hostname }, transaction },
  );
  if (left > 0) await announce(transaction, 'project', projectId);
}
