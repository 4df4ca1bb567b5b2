import type { Route } from '../Route.ts';
import { HEALTH } from '../selections.ts';

const tag = 'Health';

const STATUSES =
  '`status` is that of the project: `failing` while any check is `fail`, `unknown` before the first run. A check is `fail` ' +
  'only after two runs in a row that failed; until then it stays as it was, and its `message` says what was seen. `warn` ' +
  'and `skip` never make a project fail.';

export const HEALTH_ROUTES: Route[] = [
  {
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    tag,
    summary: 'The health checks of the project',
    description: `As the last run left them; they run every 5 minutes if nothing else is set. ${STATUSES}`,
    scope: 'health:read',
    document: `query ($projectId: ID!) { health(projectId: $projectId) { ${HEALTH} } }`,
    status: 200,
  },
  {
    id: 'runHealthChecks',
    method: 'POST',
    path: '/health/run',
    tag,
    summary: 'Run the health checks now',
    description:
      'Answers when they have run, in half a minute at most if nothing else is set, and counts as a run like any other: after ' +
      'a second one that fails the project is `failing`. Those who ask at the same time share a run. After four in a row ' +
      `the next waits, so that there is one in five seconds on average. ${STATUSES}`,
    scope: 'health:write',
    document: `mutation ($projectId: ID!) { runHealthChecks(projectId: $projectId) { ${HEALTH} } }`,
    status: 200,
  },
];
