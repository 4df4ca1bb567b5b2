import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { Project } from '../../models/Project.ts';
import { aboutKey } from './aboutKey.ts';
import { insertKey, type ShownKey } from './insertKey.ts';

/**
 * A secret key with every scope in that project, or in the oldest one, which the first start made; for
 * `npm run admin -- new-key`. Keys that there are go on. Throws `not_found`.
 */
export async function makeOperatorKey(projectId?: string): Promise<{ key: ShownKey; project: Project }> {
  const project = projectId
    ? await Project.findByPk(projectId)
    : await Project.findOne({
        order: [
          ['createdAt', 'ASC'],
          ['id', 'ASC'],
        ],
      });
  if (!project) throw notFound('project');
  return inTransaction(async (transaction) => {
    const named = { projectId: project.id, name: 'Key of the operator', scopes: ['*'], createdBy: null };
    const key = await insertKey(named, transaction);
    const details = { kind: key.kind, scopes: key.scopes, expires_at: null };
    await recordAudit(transaction, 'operator', { ...aboutKey(key, project), action: 'key.created', details });
    return { key, project };
  });
}
