import { batchesBy, isSingleBy, singlesBy } from '../../audit/actorStore.ts';
import { dialect } from '../../db/connection/database.ts';
import type { Bind } from '../../db/query.ts';
import type { Condition, Source } from './condition.ts';

/** The condition that a user or key created the link, alone or in a batch, as far back as the audit log goes. */
export function creatorCondition(projectId: string, actorId: string): Condition {
  const inBatch = (bind: Bind) => `links.batch_id IN (${batchesBy(projectId, actorId, bind)})`;
  return {
    test: (bind) => `(${inBatch(bind)} OR ${isSingleBy(projectId, actorId, 'links.id', bind)})`,
    source: madeBy(projectId, actorId),
  };
}

/** Looks the links of an actor up, where they are few among many. A link is either single or in one batch. */
function madeBy(projectId: string, actorId: string): Source {
  const ids = (bind: Bind) => `${singlesBy(projectId, actorId, bind)} UNION ALL SELECT id FROM links
    WHERE project_id = ${bind(projectId)} AND batch_id IN (${batchesBy(projectId, actorId, bind)})`;
  const entries = (bind: Bind) => `(${ids(bind)}) AS made`;
  const rest = { entries, isExact: true, isByCreation: false };
  // Compare `taggedLinks`.
  if (dialect() === 'postgres')
    return { from: 'links', where: (bind) => `links.id = ANY (ARRAY(${ids(bind)}))`, ...rest };
  return { from: 'links', where: (bind) => `links.id IN (${ids(bind)})`, ...rest };
}
