import type { Route } from '../Route.ts';
import { pageOf, TAG } from '../selections.ts';

const tag = 'Tags';

const NO_EVENTS = 'No `link.updated` is sent for the links that carry it: there may be a hundred thousand.';

export const TAG_ROUTES: Route[] = [
  {
    id: 'listTags',
    method: 'GET',
    path: '/tags',
    tag,
    summary: 'List tags',
    description: 'Newest first.',
    scope: 'tags:read',
    document: `query ($projectId: ID!, $limit: Int, $cursor: String) {
      tags(projectId: $projectId, limit: $limit, cursor: $cursor) { ${pageOf(TAG)} } }`,
    status: 200,
  },
  {
    id: 'createTag',
    method: 'POST',
    path: '/tags',
    tag,
    summary: 'Create a tag',
    description: '409 `conflict` for a name that is taken; upper and lower case count as the same.',
    scope: 'tags:write',
    document: `mutation ($input: CreateTagInput!) { createTag(input: $input) { ${TAG} } }`,
    status: 201,
    errors: ['conflict'],
  },
  {
    id: 'updateTag',
    method: 'PATCH',
    path: '/tags/{id}',
    tag,
    summary: 'Change a tag',
    description: `Links that carry it show its new name at once. ${NO_EVENTS}`,
    scope: 'tags:write',
    document: `mutation ($id: ID!, $input: UpdateTagInput!) { updateTag(id: $id, input: $input) { ${TAG} } }`,
    status: 200,
    errors: ['conflict'],
  },
  {
    id: 'deleteTag',
    method: 'DELETE',
    path: '/tags/{id}',
    tag,
    summary: 'Delete a tag',
    description:
      `When this is answered no link carries it any more. ${NO_EVENTS} 409 \`conflict\`, naming the webhook, while one has ` +
      'this tag as its scope: it would fall silent.',
    scope: 'tags:write',
    document: 'mutation ($id: ID!) { deleteTag(id: $id) }',
    status: 204,
    errors: ['conflict'],
  },
];
