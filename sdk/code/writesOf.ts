import { bodyOf } from './apply.ts';
import { OPERATIONS } from './operationApi.ts';
import type { Action, Fields, Plan } from './types.ts';

/** An operation that applying a plan carries out, for the person who decides about it beforehand. */
export interface PlannedWrite {
  operation: string;
  body: Fields;
}

/** What applying a plan asks the server, one write for each action; a call for many links does several of them at once. */
export function writesOf({ actions }: Plan): PlannedWrite[] {
  return actions.flatMap((action) => (action.kind === 'link' ? writesOfLink(action) : writesOfOther(action)));
}

function writesOfLink({ verb, id, set, password }: Action): PlannedWrite[] {
  // Whether a password is set counts here; its value is read later.
  const fields = { ...set, ...(password ? { password: '' } : {}) };
  switch (verb) {
    case 'conflict':
      return [];
    case 'create':
      return [{ operation: 'createLink', body: fields }];
    case 'archive':
      return [{ operation: 'bulkUpdateLinks', body: { ids: [id], set: { archived: true } } }];
    case 'delete':
      return [{ operation: 'bulkDeleteLinks', body: { ids: [id] } }];
    default:
      return [{ operation: 'bulkUpsertLinks', body: { links: [{ id, ...fields }] } }];
  }
}

function writesOfOther(action: Action): PlannedWrite[] {
  const { verb, kind } = action;
  if (kind === 'link' || verb === 'conflict') return [];
  if (verb === 'archive') return kind === 'webhook' ? [{ operation: 'disableWebhook', body: {} }] : [];
  const operations = OPERATIONS[kind];
  if (verb === 'delete') return [{ operation: operations.remove, body: {} }];
  if (verb === 'release') return [{ operation: operations.update, body: { managed_by: null } }];
  const { enabled, ...body } = bodyOf(action);
  if (verb === 'create') return [{ operation: operations.create, body }];
  const enables = enabled === true ? [{ operation: 'enableWebhook', body: {} }] : [];
  return [{ operation: operations.update, body }, ...enables];
}
