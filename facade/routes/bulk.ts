import type { Route } from '../Route.ts';
import { bulkOf } from '../selections.ts';

const tag = 'Links';
/** 10 MiB. */
const bodyLimit = 10 * 1024 * 1024;
const LANDS = 'Good ones land although others fail; one `links.imported` event tells of the batch.';

export const BULK_ROUTES: Route[] = [
  {
    id: 'bulkCreateLinks',
    method: 'POST',
    path: '/links/bulk',
    tag,
    summary: 'Create up to 1,000 links',
    description: `${LANDS} A link that breaks a rule fails alone, with its bad fields.`,
    scope: 'links:write',
    document: `mutation ($input: BulkCreateLinksInput!) { bulkCreateLinks(input: $input) { ${bulkOf('created')} } }`,
    status: 200,
    bodyLimit,
  },
  {
    id: 'bulkUpdateLinks',
    method: 'PATCH',
    path: '/links/bulk',
    tag,
    summary: 'Change up to 1,000 links',
    description: `${LANDS} Each changed link has its \`link.updated\` too.`,
    scope: 'links:write',
    document: `mutation ($input: BulkUpdateLinksInput!) { bulkUpdateLinks(input: $input) { ${bulkOf('updated')} } }`,
    status: 200,
    bodyLimit,
  },
  {
    id: 'bulkDeleteLinks',
    method: 'POST',
    path: '/links/bulk/delete',
    tag,
    summary: 'Delete up to 1,000 links',
    description: `${LANDS} Each deleted link has its \`link.deleted\` too.`,
    scope: 'links:write',
    document: `mutation ($input: BulkDeleteLinksInput!) { bulkDeleteLinks(input: $input) { ${bulkOf('deleted')} } }`,
    status: 200,
    bodyLimit,
  },
];
