import type { Route } from './Route.ts';
import { CURRENT_KEY, KEY, pageOf } from './selections.ts';

const tag = 'Keys';

export const KEY_ROUTES: Route[] = [
  {
    id: 'listKeys',
    call: 'keys.list',
    method: 'GET',
    path: '/keys',
    tag,
    summary: 'List keys',
    description:
      'Keys of the project, newest first, revoked and expired ones included. Publishable keys are shown in full.',
    scope: 'keys:read',
    document: `query ($projectId: ID!, $limit: Int, $cursor: String) {
      keys(projectId: $projectId, limit: $limit, cursor: $cursor) { ${pageOf(KEY)} } }`,
    status: 200,
  },
  {
    id: 'getCurrentKey',
    call: 'keys.current',
    method: 'GET',
    path: '/keys/current',
    tag,
    summary: 'Get the key of the request',
    description:
      'What a client needs to know about its own key: its scopes, its project and team, when it ends, and how many more ' +
      'records assistants may change with it (`write_budget`). Any secret key may ask.',
    scope: null,
    document: `query { currentKey { ${CURRENT_KEY} } }`,
    status: 200,
  },
  {
    id: 'createKey',
    call: 'keys.create',
    danger: 'reveals',
    rehearses: true,
    method: 'POST',
    path: '/keys',
    tag,
    summary: 'Create a key',
    description:
      '`key` is shown here and, if it is a secret one, never again. A key cannot create keys with scopes that it ' +
      'lacks. Without `scopes`, the new key would have all of them, so a key that lacks some must list the scopes.',
    scope: 'keys:write',
    document: `mutation ($input: CreateKeyInput!) { createKey(input: $input) { ${KEY} } }`,
    status: 201,
    secret: true,
  },
  {
    id: 'revokeKey',
    call: 'keys.revoke',
    danger: 'deletes',
    rehearses: true,
    method: 'DELETE',
    path: '/keys/{id}',
    tag,
    summary: 'Revoke a key',
    description: 'It ends at once and stays in the list. A key may revoke itself. 404 for one that is revoked already.',
    scope: 'keys:write',
    document: 'mutation ($id: ID!) { revokeKey(id: $id) }',
    status: 204,
  },
  {
    id: 'rollKey',
    call: 'keys.roll',
    danger: 'reveals',
    rehearses: true,
    method: 'POST',
    path: '/keys/{id}/roll',
    tag,
    summary: 'Roll a key',
    description:
      'Answers with a new key of the same name, kind, scopes and expiry; `key` is shown here. The old one ends after ' +
      '`expire_previous_seconds`, never later than it would have ended anyway; 0 ends it at once. A key cannot roll ' +
      'another one that has scopes it lacks. 409 `conflict` for a key that is revoked or expired.',
    scope: 'keys:write',
    document: `mutation ($id: ID!, $input: RollKeyInput!) { rollKey(id: $id, input: $input) { ${KEY} } }`,
    status: 200,
    secret: true,
    errors: ['conflict'],
  },
];
