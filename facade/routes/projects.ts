import type { Route } from './Route.ts';
import { PROJECT, pageOf, TEAM } from './selections.ts';

const tag = 'Projects';

export const PROJECT_ROUTES: Route[] = [
  {
    id: 'getTeam',
    call: 'team.get',
    method: 'GET',
    path: '/team',
    tag,
    summary: 'Get the team of the key',
    scope: 'projects:read',
    document: `query { team { ${TEAM} } }`,
    status: 200,
  },
  {
    id: 'listProjects',
    call: 'projects.list',
    method: 'GET',
    path: '/projects',
    tag,
    summary: 'List the projects of the key',
    scope: 'projects:read',
    document: `query ($limit: Int, $cursor: String) { projects(limit: $limit, cursor: $cursor) { ${pageOf(PROJECT)} } }`,
    status: 200,
  },
  {
    id: 'getProject',
    call: 'projects.get',
    method: 'GET',
    path: '/projects/{id}',
    tag,
    summary: 'Get a project',
    scope: 'projects:read',
    document: `query ($id: ID!) { project(id: $id) { ${PROJECT} } }`,
    status: 200,
  },
  {
    id: 'updateProject',
    call: 'projects.update',
    rehearses: true,
    method: 'PATCH',
    path: '/projects/{id}',
    tag,
    summary: 'Change a project',
    description: 'Each field in the body is replaced as a whole; null clears it.',
    scope: 'projects:write',
    document: `mutation ($id: ID!, $input: UpdateProjectInput!) { updateProject(id: $id, input: $input) { ${PROJECT} } }`,
    status: 200,
  },
];
