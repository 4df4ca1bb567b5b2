import type { Route } from './Route.ts';
import { bulkOf, LINK, TRACE } from './selections.ts';

const tag = 'Links';

export const LINK_TOOL_ROUTES: Route[] = [
  {
    id: 'getLinkQr',
    call: 'links.qr',
    method: 'GET',
    path: '/links/{id}/qr',
    tag,
    summary: 'Get the QR code of a link',
    description:
      'The short URL as an image. Colours that scanners cannot tell apart are refused, and so is a foreground lighter ' +
      'than the background. `{id}` is the id of the link, or `ext_` and your own id.',
    scope: 'links:read',
    document: `query ($id: ID!, $format: QrFormat, $size: Int, $margin: Int, $level: QrLevel, $foreground: String,
        $background: String) {
      linkQr(id: $id, format: $format, size: $size, margin: $margin, level: $level, foreground: $foreground,
        background: $background) { mediaType base64 } }`,
    status: 200,
    answer: 'file',
    mediaTypes: ['image/svg+xml', 'image/png'],
  },
  {
    id: 'traceLink',
    call: 'links.trace',
    method: 'GET',
    path: '/links/{id}/trace',
    tag,
    summary: 'Trace a link',
    description:
      'Shows step by step what the router would do with a visitor, and why. Nothing is recorded or counted. Steps ' +
      'after the decisive one are listed as not evaluated. The side of a split follows from the address and user ' +
      'agent, which are fixed in a trace. `{id}` is the ID of the link, or `ext_` and your own ID.',
    scope: 'links:read',
    document: `query ($id: ID!, $platform: VisitorPlatform, $device: VisitorDevice, $country: String, $language: String,
        $at: DateTimeISO, $query: String, $referrerHost: String) {
      traceLink(id: $id, platform: $platform, device: $device, country: $country, language: $language, at: $at,
        query: $query, referrerHost: $referrerHost) { ${TRACE} } }`,
    status: 200,
  },
];

export const REVIEW_ROUTES: Route[] = [
  {
    id: 'reviewLink',
    call: 'links.review',
    rehearses: true,
    method: 'POST',
    path: '/links/{id}/review',
    tag: 'Links',
    summary: 'Request a review of a flag',
    description:
      'The URLs of a flagged link are scanned again soon. If nothing is found, the flag is cleared and `link.updated` ' +
      'is sent; otherwise it stays, with the current reason. A flag set by the operator of this service can only be ' +
      'cleared by the operator. A link without a flag is unchanged. `{id}` is the ID of the link, or `ext_` and your ' +
      'own ID. Safe to repeat.',
    scope: 'links:write',
    document: `mutation ($id: ID!) { reviewLink(id: $id) { ${LINK} } }`,
    status: 200,
  },
];

/** 10 MiB. */
const bodyLimit = 10 * 1024 * 1024;
const LANDS = 'Valid ones succeed even if others fail. One `links.imported` event is sent for the batch.';

export const BULK_ROUTES: Route[] = [
  {
    id: 'bulkCreateLinks',
    call: 'links.bulkCreate',
    rehearses: true,
    method: 'POST',
    path: '/links/bulk',
    tag: tag,
    summary: 'Create up to 1,000 links',
    description: `${LANDS} Each invalid link is returned with its invalid fields.`,
    scope: 'links:write',
    document: `mutation ($input: BulkCreateLinksInput!) { bulkCreateLinks(input: $input) { ${bulkOf('created')} } }`,
    status: 200,
    bodyLimit,
  },
  {
    id: 'bulkUpsertLinks',
    call: 'links.bulkUpsert',
    rehearses: true,
    method: 'PUT',
    path: '/links/bulk',
    tag: tag,
    summary: 'Create or change up to 1,000 links with your own IDs',
    description:
      'Each link by its `external_id`: creates it, or changes the given fields of the one that has this external ID; ' +
      'with an `id`, changes that link and gives it the external ID. ' +
      'Valid ones succeed even if others fail; a link whose `external_id` stands earlier in the list fails. Links that ' +
      'are already as sent are `unchanged`: nothing of them is written. One `links.imported` event is sent for the ' +
      'batch unless all are unchanged, and a `link.updated` event for each changed link. Safe to repeat, so no ' +
      '`Idempotency-Key` is needed.',
    scope: 'links:write',
    document: `mutation ($input: BulkUpsertLinksInput!) {
      bulkUpsertLinks(input: $input) { ${bulkOf('created updated unchanged')} } }`,
    status: 200,
    bodyLimit,
  },
  {
    id: 'bulkUpdateLinks',
    call: 'links.bulkUpdate',
    rehearses: true,
    method: 'PATCH',
    path: '/links/bulk',
    tag: tag,
    summary: 'Change up to 1,000 links',
    description:
      `${LANDS} \`set\` changes each link alike; \`add_tags\` and \`remove_tags\` leave the other tags of each link as ` +
      'they are. A `link.updated` event is also sent for each changed link.',
    scope: 'links:write',
    document: `mutation ($input: BulkUpdateLinksInput!) { bulkUpdateLinks(input: $input) { ${bulkOf('updated')} } }`,
    status: 200,
    bodyLimit,
  },
  {
    id: 'bulkDeleteLinks',
    call: 'links.bulkDelete',
    danger: 'deletes',
    rehearses: true,
    method: 'POST',
    path: '/links/bulk/delete',
    tag: tag,
    summary: 'Delete up to 1,000 links',
    description: `${LANDS} A \`link.deleted\` event is also sent for each deleted link.`,
    scope: 'links:write',
    document: `mutation ($input: BulkDeleteLinksInput!) { bulkDeleteLinks(input: $input) { ${bulkOf('deleted')} } }`,
    status: 200,
    bodyLimit,
  },
];
