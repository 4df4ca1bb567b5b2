import type { Route } from './Route.ts';
import { pageOf, TAG } from './selections.ts';

const tag = 'Tags';

const NO_EVENTS = 'No `link.updated` events are sent for its links, because there may be a hundred thousand.';

export const TAG_ROUTES: Route[] = [
  {
    id: 'listTags',
    call: 'tags.list',
    method: 'GET',
    path: '/tags',
    tag,
    summary: 'List tags',
    description: 'Newest first.',
    scope: 'tags:read',
    document: `query ($projectId: ID!, $managedBy: String, $limit: Int, $cursor: String) {
      tags(projectId: $projectId, managedBy: $managedBy, limit: $limit, cursor: $cursor) { ${pageOf(TAG)} } }`,
    status: 200,
  },
  {
    id: 'createTag',
    call: 'tags.create',
    rehearses: true,
    method: 'POST',
    path: '/tags',
    tag,
    summary: 'Create a tag',
    description: '409 `conflict` if the name is taken, regardless of case.',
    scope: 'tags:write',
    document: `mutation ($input: CreateTagInput!) { createTag(input: $input) { ${TAG} } }`,
    status: 201,
    errors: ['conflict'],
  },
  {
    id: 'updateTag',
    call: 'tags.update',
    rehearses: true,
    method: 'PATCH',
    path: '/tags/{id}',
    tag,
    summary: 'Change a tag',
    description: `Its links show the new name at once. ${NO_EVENTS}`,
    scope: 'tags:write',
    document: `mutation ($id: ID!, $input: UpdateTagInput!) { updateTag(id: $id, input: $input) { ${TAG} } }`,
    status: 200,
    errors: ['conflict'],
  },
  {
    id: 'deleteTag',
    call: 'tags.delete',
    danger: 'deletes',
    rehearses: true,
    method: 'DELETE',
    path: '/tags/{id}',
    tag,
    summary: 'Delete a tag',
    description:
      `After the response, no link has the tag. ${NO_EVENTS} 409 \`conflict\`, with the webhook, while the scope of a ` +
      'webhook is this tag: it would no longer receive any events.',
    scope: 'tags:write',
    document: 'mutation ($id: ID!) { deleteTag(id: $id) }',
    status: 204,
    errors: ['conflict'],
  },
];
