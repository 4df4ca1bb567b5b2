import type { Route } from './Route.ts';
import { DOMAIN, pageOf } from './selections.ts';

const tag = 'Domains';

export const DOMAIN_ROUTES: Route[] = [
  {
    id: 'listDomains',
    call: 'domains.list',
    method: 'GET',
    path: '/domains',
    tag,
    summary: 'List domains',
    description: 'Newest first.',
    scope: 'domains:read',
    document: `query ($projectId: ID!, $kind: DomainKind, $status: DomainStatus, $managedBy: String, $limit: Int,
        $cursor: String) {
      domains(projectId: $projectId, kind: $kind, status: $status, managedBy: $managedBy, limit: $limit, cursor: $cursor) { ${pageOf(DOMAIN)} } }`,
    status: 200,
  },
  {
    id: 'createDomain',
    call: 'domains.create',
    rehearses: true,
    method: 'POST',
    path: '/domains',
    tag,
    summary: 'Add a domain',
    description:
      'The domain is not used until it is verified: set the records in `verification`, then verify it, or wait. 409 ' +
      '`conflict` if the project already has the host name, or another team has proved it by its TXT record. A name ' +
      'that another team has proved in another way can be added: your TXT record takes it over, and both teams get an ' +
      'alert.',
    scope: 'domains:write',
    document: `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ${DOMAIN} } }`,
    status: 201,
    errors: ['conflict', 'destination_refused', 'account_limit_reached'],
  },
  {
    id: 'getDomain',
    call: 'domains.get',
    method: 'GET',
    path: '/domains/{id}',
    tag,
    summary: 'Get a domain',
    description:
      '`problem` says what the last check found and what to do. `found` and `is_set` of each record say what the last ' +
      'check found there.',
    scope: 'domains:read',
    document: `query ($id: ID!) { domain(id: $id) { ${DOMAIN} } }`,
    status: 200,
  },
  {
    id: 'updateDomain',
    call: 'domains.update',
    rehearses: true,
    method: 'PATCH',
    path: '/domains/{id}',
    tag,
    summary: 'Change where visitors of a domain go',
    description: 'Redirects use the change within a second.',
    scope: 'domains:write',
    document: `mutation ($id: ID!, $input: UpdateDomainInput!) { updateDomain(id: $id, input: $input) { ${DOMAIN} } }`,
    status: 200,
    errors: ['destination_refused'],
  },
  {
    id: 'deleteDomain',
    call: 'domains.delete',
    danger: 'deletes',
    rehearses: true,
    method: 'DELETE',
    path: '/domains/{id}',
    tag,
    summary: 'Delete a domain',
    description:
      '409 `conflict` while it has links, including archived ones. If it was the default domain of the project, the ' +
      'default becomes the domain of the service. To add the name again later, it must be proved by its TXT record.',
    scope: 'domains:write',
    document: 'mutation ($id: ID!) { deleteDomain(id: $id) }',
    status: 204,
    errors: ['conflict'],
  },
  {
    id: 'verifyDomain',
    call: 'domains.verify',
    method: 'POST',
    path: '/domains/{id}/verify',
    tag,
    summary: 'Verify a domain now',
    description:
      'Checks its records or its file, and returns the domain within ten seconds, verified or not: `problem` says what ' +
      'is missing. Domains are also checked automatically.',
    scope: 'domains:write',
    document: `mutation ($id: ID!) { verifyDomain(id: $id) { ${DOMAIN} } }`,
    status: 200,
  },
];
