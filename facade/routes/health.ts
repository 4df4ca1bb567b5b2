import type { Route } from './Route.ts';
import { HEALTH } from './selections.ts';

const tag = 'Health';

const STATUSES =
  '`status` is the health of the project: `failing` while any check is `fail`, `unknown` before the first run. A check ' +
  'becomes `fail` after two failed runs in a row; until then its status stays, and its `message` says what was found. ' +
  '`warn` and `skip` never make a project fail.';

export const HEALTH_ROUTES: Route[] = [
  {
    id: 'getHealth',
    call: 'health.get',
    method: 'GET',
    path: '/health',
    tag,
    summary: 'Get the health checks of the project',
    description: `Results of the last run. By default, the checks run every 5 minutes. ${STATUSES}`,
    scope: 'health:read',
    document: `query ($projectId: ID!) { health(projectId: $projectId) { ${HEALTH} } }`,
    status: 200,
  },
  {
    id: 'runHealthChecks',
    call: 'health.run',
    method: 'POST',
    path: '/health/run',
    tag,
    summary: 'Run the health checks now',
    description:
      'Responds after the run, by default within half a minute. The run counts like any other: after a second failed ' +
      'run in a row, the project is `failing`. Simultaneous requests share a run. After four runs in a row, the next ' +
      `one waits, so that there is one in five seconds on average. ${STATUSES}`,
    scope: 'health:write',
    document: `mutation ($projectId: ID!) { runHealthChecks(projectId: $projectId) { ${HEALTH} } }`,
    status: 200,
  },
];
