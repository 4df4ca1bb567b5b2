import type { Route } from '../Route.ts';
import { LINK, LINK_FILTERS, pageOf } from '../selections.ts';

const tag = 'Links';

/** Ways to name a link wherever a link id goes. */
const BY_ID = '`{id}` is the id of the link, or `ext_` and your own id (`external_id`).';

export const LINK_ROUTES: Route[] = [
  {
    id: 'listLinks',
    method: 'GET',
    path: '/links',
    tag,
    summary: 'List links',
    description:
      'Archived links are included unless `status` says otherwise. Newest first unless `sort` and `order` say otherwise.',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $sort: String, $order: String,
        $limit: Int, $cursor: String) {
      links(${LINK_FILTERS.arguments}, sort: $sort, order: $order, limit: $limit, cursor: $cursor) { ${pageOf(LINK)} } }`,
    status: 200,
  },
  {
    id: 'createLink',
    method: 'POST',
    path: '/links',
    tag,
    summary: 'Create a link',
    scope: 'links:write',
    document: `mutation ($input: CreateLinkInput!) { createLink(input: $input) { ${LINK} } }`,
    status: 201,
    errors: ['slug_taken', 'conflict', 'destination_refused'],
  },
  {
    id: 'countLinks',
    method: 'GET',
    path: '/links/count',
    tag,
    summary: 'Count links',
    description:
      'How many links the filters of the list leave. With `group_by`, `data` has the count of each status, tag or domain ' +
      'that any of them has, most links first; a link counts with each of its tags, and with `key: null` when it has none. ' +
      'Without it `data` is null.',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $groupBy: String) {
      linkCount(${LINK_FILTERS.arguments}, groupBy: $groupBy) { count data { key count } } }`,
    status: 200,
  },
  {
    id: 'lookupLink',
    method: 'GET',
    path: '/links/lookup',
    tag,
    summary: 'Find a link by its address or external id',
    description: 'Give `domain` and `slug`, or `external_id`, or `short_url`.',
    scope: 'links:read',
    document: `query ($projectId: ID!, $domain: String, $slug: String, $externalId: String, $shortUrl: String) {
      lookupLink(projectId: $projectId, domain: $domain, slug: $slug, externalId: $externalId, shortUrl: $shortUrl) { ${LINK} } }`,
    status: 200,
  },
  {
    id: 'getLink',
    method: 'GET',
    path: '/links/{id}',
    tag,
    summary: 'One link',
    description: BY_ID,
    scope: 'links:read',
    document: `query ($id: ID!) { link(id: $id) { ${LINK} } }`,
    status: 200,
  },
  {
    id: 'updateLink',
    method: 'PATCH',
    path: '/links/{id}',
    tag,
    summary: 'Change a link',
    description: `${BY_ID} Each field that is sent is replaced whole; null clears it. A flag is not cleared by a change.`,
    scope: 'links:write',
    document: `mutation ($id: ID!, $input: UpdateLinkInput!) { updateLink(id: $id, input: $input) { ${LINK} } }`,
    status: 200,
    errors: ['slug_taken', 'conflict', 'destination_refused'],
  },
  {
    id: 'upsertLink',
    method: 'PUT',
    path: '/links/external/{external_id}',
    tag,
    summary: 'Create or change the link with your own id',
    description:
      'Creates the link (201), or changes the fields that are sent of the one that has this external id (200). Safe to repeat.',
    scope: 'links:write',
    document: `mutation ($projectId: ID!, $externalId: String!, $input: UpsertLinkInput!) {
      upsertLink(projectId: $projectId, externalId: $externalId, input: $input) { created link { ${LINK} } } }`,
    status: 200,
    answer: 'upsert',
    errors: ['slug_taken', 'conflict', 'destination_refused'],
  },
  {
    id: 'deleteLink',
    method: 'DELETE',
    path: '/links/{id}',
    tag,
    summary: 'Delete a link',
    description: `${BY_ID} Its slug is free again; its clicks stay in the figures.`,
    scope: 'links:write',
    document: 'mutation ($id: ID!) { deleteLink(id: $id) }',
    status: 204,
  },
  {
    id: 'archiveLink',
    method: 'POST',
    path: '/links/{id}/archive',
    tag,
    summary: 'Archive a link',
    description: `${BY_ID} An archived link answers as if it did not exist. Safe to repeat.`,
    scope: 'links:write',
    document: `mutation ($id: ID!) { archiveLink(id: $id) { ${LINK} } }`,
    status: 200,
  },
  {
    id: 'unarchiveLink',
    method: 'POST',
    path: '/links/{id}/unarchive',
    tag,
    summary: 'Restore an archived link',
    description: `${BY_ID} Safe to repeat.`,
    scope: 'links:write',
    document: `mutation ($id: ID!) { unarchiveLink(id: $id) { ${LINK} } }`,
    status: 200,
  },
];
