import { readModels } from '../../db/readModels.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { Install } from '../../models/Install.ts';

/** The project's install with that id, ours or the UUID of its SDK. Throws `not_found`. Who asks was looked at before. */
export async function loadInstall(projectId: string, id: string): Promise<Install> {
  const [column, value] = isId('ins', id) ? ['id', id] : ['install_id', id.toLowerCase()];
  const [install] = await readModels(Install, `${column} = $1 AND project_id = $2`, [value, projectId]);
  if (!install) throw notFound('install');
  return install;
}
