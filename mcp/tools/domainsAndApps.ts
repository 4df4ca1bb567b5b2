import { carryOut, endOf } from '../change.ts';
import type { Json } from '../parts.ts';
import { tamed } from '../results.ts';
import type { Tool } from '../tool.ts';
import { domainView, noticed, pageView } from '../views.ts';
import { CURSOR, DRY_RUN, limitOf } from './arguments.ts';

/** Hosts of short links. */
export const DOMAIN_TOOLS: Tool[] = [
  {
    name: 'list_domains',
    toolset: 'domains',
    description: 'Domains of the project; for those that are not verified, the DNS records to set.',
    operations: ['listDomains'],
    does: 'reads',
    arguments: { kind: 'listDomains.kind', status: 'listDomains.status', cursor: CURSOR },
    async run(call) {
      const page = await call.ask('listDomains', { query: { limit: '20', ...call.query('kind', 'status', 'cursor') } });
      return { value: pageView(page, domainView, 'kind or status') };
    },
  },
  {
    name: 'add_domain',
    toolset: 'domains',
    description: 'Adds a domain and gives the DNS records that prove it. verify_domain comes after they are set.',
    operations: ['createDomain'],
    does: 'writes',
    arguments: { hostname: 'createDomain.hostname', kind: 'createDomain.kind', dry_run: DRY_RUN },
    required: ['hostname'],
    async run(call) {
      const { hostname, kind } = call.args;
      const asked = { body: { hostname, ...(kind ? { kind } : {}) } };
      const changed = await carryOut(call, {
        operation: 'createDomain',
        asked,
        records: 1,
        what: `Add the domain ${hostname}`,
      });
      return { value: { domain: domainView(changed.body), ...endOf(changed) } };
    },
  },
  {
    name: 'verify_domain',
    toolset: 'domains',
    description: 'Looks at the DNS records of a domain now.',
    operations: ['verifyDomain'],
    does: 'writes',
    isOpenWorld: true,
    isIdempotent: true,
    arguments: { id: { type: 'string', description: 'Of the domain' } },
    required: ['id'],
    async run(call) {
      const id = String(call.args.id);
      const changed = await carryOut(call, {
        operation: 'verifyDomain',
        asked: { path: { id } },
        records: 1,
        what: `Verify ${id}`,
      });
      return { value: { domain: domainView(changed.body), ...endOf(changed) } };
    },
  },
];

/** Installs of apps. */
export const APP_TOOLS: Tool[] = [
  {
    name: 'list_installs',
    toolset: 'apps',
    description: 'Installs of the apps of the project, newest first, each with how it was matched.',
    operations: ['listInstalls'],
    does: 'reads',
    arguments: {
      ...Object.fromEntries(
        'link_id created_after created_before'.split(' ').map((name) => [name, `listInstalls.${name}`]),
      ),
      limit: limitOf(10, 50),
      cursor: CURSOR,
    },
    async run(call) {
      const query = {
        limit: call.text('limit') ?? '10',
        ...call.query('link_id', 'created_after', 'created_before', 'cursor'),
      };
      const page = await call.ask('listInstalls', { query });
      return { value: noticed(pageView(page, (install) => tamed(install) as Json, 'link_id or created_after')) };
    },
  },
  {
    name: 'explain_install',
    toolset: 'apps',
    description: 'Why an install was matched to a link, or to none: clicks that were considered, and their points.',
    operations: ['explainInstall'],
    does: 'reads',
    arguments: { id: { type: 'string', description: 'Of the install' } },
    required: ['id'],
    async run(call) {
      return {
        value: noticed(tamed(await call.ask('explainInstall', { path: { id: String(call.args.id) } })) as Json),
      };
    },
  },
];
