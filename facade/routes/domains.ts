import type { Route } from '../Route.ts';
import { DOMAIN, pageOf } from '../selections.ts';

const tag = 'Domains';

export const DOMAIN_ROUTES: Route[] = [
  {
    id: 'listDomains',
    method: 'GET',
    path: '/domains',
    tag,
    summary: 'List domains',
    description: 'Newest first.',
    scope: 'domains:read',
    document: `query ($projectId: ID!, $kind: String, $status: String, $limit: Int, $cursor: String) {
      domains(projectId: $projectId, kind: $kind, status: $status, limit: $limit, cursor: $cursor) { ${pageOf(DOMAIN)} } }`,
    status: 200,
  },
  {
    id: 'createDomain',
    method: 'POST',
    path: '/domains',
    tag,
    summary: 'Add a domain',
    description:
      'It does nothing before it is verified: set the records of `verification`, then verify it, or wait. 409 `conflict` for ' +
      'a host name that the project has already, or that another team has proved by its TXT record. A name that another ' +
      'team has in another way can be added: your TXT record takes it from there, and both teams get an alert.',
    scope: 'domains:write',
    document: `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ${DOMAIN} } }`,
    status: 201,
    errors: ['conflict', 'destination_refused', 'account_limit_reached'],
  },
  {
    id: 'getDomain',
    method: 'GET',
    path: '/domains/{id}',
    tag,
    summary: 'Get a domain',
    description:
      '`problem` says what the last look found, and what to do; `found` and `is_set` of each record, what it found there.',
    scope: 'domains:read',
    document: `query ($id: ID!) { domain(id: $id) { ${DOMAIN} } }`,
    status: 200,
  },
  {
    id: 'updateDomain',
    method: 'PATCH',
    path: '/domains/{id}',
    tag,
    summary: 'Change where visitors of a domain go',
    description: 'Redirects follow within a second.',
    scope: 'domains:write',
    document: `mutation ($id: ID!, $input: UpdateDomainInput!) { updateDomain(id: $id, input: $input) { ${DOMAIN} } }`,
    status: 200,
    errors: ['destination_refused'],
  },
  {
    id: 'deleteDomain',
    method: 'DELETE',
    path: '/domains/{id}',
    tag,
    summary: 'Delete a domain',
    description:
      '409 `conflict` while it has links, archived ones included. A project whose default domain it is goes back to that of ' +
      'the service. Whoever adds the name later proves it by the TXT record.',
    scope: 'domains:write',
    document: 'mutation ($id: ID!) { deleteDomain(id: $id) }',
    status: 204,
    errors: ['conflict'],
  },
  {
    id: 'verifyDomain',
    method: 'POST',
    path: '/domains/{id}/verify',
    tag,
    summary: 'Verify a domain now',
    description:
      'Looks at its records, or its file, and answers within ten seconds with the domain as it is then, verified or not: ' +
      '`problem` says what is missing. Domains are also looked at by themselves.',
    scope: 'domains:write',
    document: `mutation ($id: ID!) { verifyDomain(id: $id) { ${DOMAIN} } }`,
    status: 200,
  },
];
