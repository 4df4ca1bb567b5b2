import type { Route } from '../route.ts';
import { LINK, LINK_FILTERS, pageOf } from './selections.ts';

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
    document: `query (${LINK_FILTERS.variables}, $sort: LinkSort, $order: SortOrder,
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
      'Counts the links that match the filters. With `group_by`, `data` has the count of each status, tag or domain, ' +
      'highest first. A link counts under each of its tags, and under `key: null` if it has none. Without `group_by`, ' +
      '`data` is null.',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $groupBy: LinkGrouping) {
      linkCount(${LINK_FILTERS.arguments}, groupBy: $groupBy) { count data { key count } } }`,
    status: 200,
  },
  {
    id: 'lookupLink',
    method: 'GET',
    path: '/links/lookup',
    tag,
    summary: 'Find a link by its address or external ID',
    description: 'Pass `domain` and `slug`, or `external_id`, or `short_url`.',
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
    summary: 'Get a link',
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
    description: `${BY_ID} Each field in the body is replaced as a whole; null clears it. A change does not clear a flag.`,
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
    summary: 'Create or change the link with your own ID',
    description:
      'Creates the link (201), or changes the given fields of the link with this external ID (200). Safe to repeat.',
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
    description: `${BY_ID} Its slug can be used again; its clicks remain in analytics.`,
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
    description: `${BY_ID} An archived link responds as if it did not exist. Safe to repeat.`,
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
