import { readModels } from '../../db/readModels.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { notFound } from '../../kernel/errors.ts';
import { Project } from '../../models/Project.ts';

/** Whose a project is: notes about things of a project name its team. Throws `not_found`. */
export async function teamOf(projectId: string, transaction: Transaction): Promise<{ teamId: string }> {
  const [project] = await readModels(Project, 'id = $1', [projectId], { transaction });
  if (!project) throw notFound('project');
  return project;
}
