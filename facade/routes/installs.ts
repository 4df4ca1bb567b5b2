import type { Route } from '../Route.ts';
import { INSTALL, MATCH_REPORT, pageOf } from '../selections.ts';

const tag = 'Installs';
const ID = '`{id}` is ours (`ins_…`) or the UUID that the SDK made.';

export const INSTALL_ROUTES: Route[] = [
  {
    id: 'listInstalls',
    method: 'GET',
    path: '/installs',
    tag,
    summary: 'List installs',
    description: 'Newest first. `created_after` is inclusive, `created_before` exclusive.',
    scope: 'installs:read',
    document: `query ($projectId: ID!, $linkId: ID, $createdAfter: DateTimeISO, $createdBefore: DateTimeISO, $limit: Int,
        $cursor: String) {
      installs(projectId: $projectId, linkId: $linkId, createdAfter: $createdAfter, createdBefore: $createdBefore,
        limit: $limit, cursor: $cursor) { ${pageOf(INSTALL)} } }`,
    status: 200,
  },
  {
    id: 'getInstall',
    method: 'GET',
    path: '/installs/{id}',
    tag,
    summary: 'One install',
    description: ID,
    scope: 'installs:read',
    document: `query ($projectId: ID!, $id: ID!) { install(projectId: $projectId, id: $id) { ${INSTALL} } }`,
    status: 200,
  },
  {
    id: 'explainInstall',
    method: 'GET',
    path: '/installs/{id}/match',
    tag,
    summary: 'Why an install matched, or did not',
    description:
      `${ID} The clicks that were compared, each with its score by factor and why it was or was not the one, and what became ` +
      'of tokens. Kept for a while after the opening, 90 days if nothing else is set; the outcome itself stays.',
    scope: 'installs:read',
    document: `query ($projectId: ID!, $id: ID!) { installMatch(projectId: $projectId, id: $id) { ${MATCH_REPORT} } }`,
    status: 200,
  },
  {
    id: 'deleteInstall',
    method: 'DELETE',
    path: '/installs/{id}',
    tag,
    summary: 'Delete the data of an install',
    description:
      `${ID} Its openings, events, match and what webhooks were told of it. An app that goes on telling is a new install. ` +
      'The click that led there stays used, without a word of the install.',
    scope: 'installs:write',
    document: `mutation ($projectId: ID!, $id: ID!) { deleteInstall(projectId: $projectId, id: $id) }`,
    status: 204,
  },
  {
    id: 'simulateMatch',
    method: 'POST',
    path: '/installs/simulate',
    tag,
    summary: 'Try the matching on a made-up click and opening',
    description:
      'Compares them as a first opening without a token is compared with the clicks from its address, by the rules of the ' +
      'project. Writes nothing.',
    scope: 'installs:write',
    document: `mutation ($projectId: ID!, $input: SimulateMatchInput!) {
      simulateMatch(projectId: $projectId, input: $input) { ${MATCH_REPORT} } }`,
    status: 200,
  },
];
