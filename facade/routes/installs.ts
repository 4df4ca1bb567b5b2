import type { Route } from './Route.ts';
import { INSTALL, MATCH_REPORT, pageOf } from './selections.ts';

const tag = 'Installs';
const ID = '`{id}` is ours (`ins_…`) or the UUID that the SDK made.';

export const INSTALL_ROUTES: Route[] = [
  {
    id: 'listInstalls',
    call: 'installs.list',
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
    call: 'installs.get',
    method: 'GET',
    path: '/installs/{id}',
    tag,
    summary: 'Get an install',
    description: ID,
    scope: 'installs:read',
    document: `query ($projectId: ID!, $id: ID!) { install(projectId: $projectId, id: $id) { ${INSTALL} } }`,
    status: 200,
  },
  {
    id: 'explainInstall',
    call: 'installs.explain',
    method: 'GET',
    path: '/installs/{id}/match',
    tag,
    summary: 'Explain the match of an install',
    description:
      `${ID} Lists the clicks that were compared, each with its score by factor and the reason why it was chosen or ` +
      'not, and what happened to tokens. Kept after the open for 90 days by default; the match itself is kept.',
    scope: 'installs:read',
    document: `query ($projectId: ID!, $id: ID!) { installMatch(projectId: $projectId, id: $id) { ${MATCH_REPORT} } }`,
    status: 200,
  },
  {
    id: 'deleteInstall',
    call: 'installs.delete',
    danger: 'deletes',
    rehearses: true,
    method: 'DELETE',
    path: '/installs/{id}',
    tag,
    summary: 'Delete the data of an install',
    description:
      `${ID} Deletes its opens, events, match, and the events that webhooks received about it. If the app keeps ` +
      'sending, it counts as a new install. The click that led to it stays used, without a reference to the install.',
    scope: 'installs:write',
    document: `mutation ($projectId: ID!, $id: ID!) { deleteInstall(projectId: $projectId, id: $id) }`,
    status: 204,
  },
  {
    id: 'simulateMatch',
    call: 'installs.simulate',
    method: 'POST',
    path: '/installs/simulate',
    tag,
    summary: 'Simulate a match',
    description:
      'Compares a made-up click and open by the rules of the project, like a first open without a token. Stores ' +
      'nothing.',
    scope: 'installs:write',
    document: `mutation ($projectId: ID!, $input: SimulateMatchInput!) {
      simulateMatch(projectId: $projectId, input: $input) { ${MATCH_REPORT} } }`,
    status: 200,
  },
];
