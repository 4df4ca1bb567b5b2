import { LRUCache } from 'lru-cache';
import { selectBound } from '../../db/selectBound.ts';

/** Those that were met lately: a device that sends often is looked up once. */
const known = new LRUCache<string, true>({ max: 100_000 });

/** Whether an install has told of an opening before: whoever makes up ids has not. One that was deleted since may count as known. */
export async function isKnownInstall(install: { projectId: string; installId: string }): Promise<boolean> {
  const key = `${install.projectId} ${install.installId}`;
  if (known.get(key)) return true;
  const [row] = await selectBound('SELECT 1 AS one FROM installs WHERE project_id = $1 AND install_id = $2', [
    install.projectId,
    install.installId,
  ]);
  if (row) known.set(key, true);
  return row !== undefined;
}
