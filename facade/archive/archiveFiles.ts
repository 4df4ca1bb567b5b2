import { type GraphQLSchema, getNamedType, isLeafType, isObjectType } from 'graphql';
import { snakeCase } from '../../src/kernel/wire.ts';
import {
  ALERT,
  DELIVERY,
  DOMAIN,
  EVENT,
  IMPORT,
  INSTALL,
  KEY,
  LINK,
  PROJECT,
  pageOf,
  TAG,
  TEAM,
  WEBHOOK,
} from '../routes/selections.ts';

/** A file of an archive, for a team or for each of its projects. */
export interface ArchiveFile {
  name: string;
  /** For the README of the archive. */
  about: string;
  /** The tables of the store that it is made of. */
  tables: readonly string[];
  source: Source;
}

type ListSource = Extract<Source, { kind: 'list' }>;

type Source =
  /** One object, by a document with the variable `id`. */
  | { kind: 'object'; document: string }
  /** A list of GraphQL, by its field and the argument that names its owner. `shown`: a selection, or a type that is shown whole. */
  | {
      kind: 'list';
      field: string;
      owner: 'teamId' | 'projectId';
      shown: string | { type: string };
      limit?: number;
      keeps?: (row: object) => boolean;
    }
  /** Rows that no list shows as they are. */
  | { kind: 'rows'; table: 'clicks' | 'orphans' | 'opens' | 'app_events' };

/** Rows of a page of GraphQL, and of one whose rows may have 50 KB each. */
const LIMIT = 100;
const FEW = 20;

const ofTeam = (field: string, shown: string | { type: string }): ListSource => ({
  kind: 'list',
  field,
  owner: 'teamId',
  shown,
});
const ofProject = (field: string, shown: string | { type: string }, limit = LIMIT): ListSource => ({
  kind: 'list',
  field,
  owner: 'projectId',
  shown,
  limit,
});

export const TEAM_FILES: ArchiveFile[] = [
  {
    name: 'team.json',
    about: 'the team',
    tables: ['teams'],
    source: { kind: 'object', document: `query ($id: ID!) { team(id: $id) { ${TEAM} } }` },
  },
  {
    name: 'members.ndjson',
    about: 'its members and their roles',
    tables: ['memberships'],
    source: ofTeam('members', { type: 'Member' }),
  },
  {
    name: 'invitations.ndjson',
    about: 'invitations that are open, without their tokens',
    tables: ['invitations'],
    source: ofTeam('invitations', { type: 'Invitation' }),
  },
  {
    name: 'audit.ndjson',
    about: 'who changed what',
    tables: ['audit_entries'],
    source: ofTeam('auditLog', { type: 'AuditEntry' }),
  },
  {
    name: 'alerts.ndjson',
    about: 'alerts of the team and of its projects',
    tables: ['alerts'],
    source: ofTeam('alerts', ALERT),
  },
  {
    name: 'webhooks.ndjson',
    about: 'webhooks of the whole team, without their secrets',
    tables: ['webhooks'],
    source: { ...ofTeam('webhooks', WEBHOOK), keeps: (row) => (row as { project_id: unknown }).project_id === null },
  },
];

export const PROJECT_FILES: ArchiveFile[] = [
  {
    name: 'project.json',
    about: 'the project and its apps',
    tables: ['projects'],
    source: { kind: 'object', document: `query ($id: ID!) { project(id: $id) { ${PROJECT} } }` },
  },
  { name: 'domains.ndjson', about: 'domains', tables: ['domains'], source: ofProject('domains', DOMAIN) },
  { name: 'tags.ndjson', about: 'tags', tables: ['tags'], source: ofProject('tags', TAG) },
  {
    name: 'links.ndjson',
    about: 'links, archived ones too; password_protected says whether one has a password',
    tables: ['links', 'link_tags'],
    source: ofProject('links', LINK),
  },
  {
    name: 'webhooks.ndjson',
    about: 'webhooks of the project, without their secrets',
    tables: ['webhooks'],
    source: ofProject('webhooks', WEBHOOK),
  },
  {
    name: 'keys.ndjson',
    about: 'keys; of secret ones the last four characters alone',
    tables: ['api_keys'],
    source: ofProject('keys', KEY),
  },
  { name: 'imports.ndjson', about: 'imports of CSV files', tables: ['imports'], source: ofProject('imports', IMPORT) },
  {
    name: 'events.ndjson',
    about: 'events, as webhooks receive them',
    tables: ['events'],
    source: ofProject('events', EVENT),
  },
  {
    name: 'deliveries.ndjson',
    about: 'deliveries of these events to webhooks, with all attempts',
    tables: ['deliveries', 'attempts'],
    source: ofProject('deliveries', DELIVERY, FEW),
  },
  {
    name: 'clicks.ndjson',
    about: 'clicks; visitor is the same for one address and browser on one UTC day',
    tables: ['clicks'],
    source: { kind: 'rows', table: 'clicks' },
  },
  {
    name: 'installs.ndjson',
    about: 'installs of apps, and what they were matched with',
    tables: ['installs'],
    source: ofProject('installs', INSTALL),
  },
  { name: 'opens.ndjson', about: 'openings of apps', tables: ['opens'], source: { kind: 'rows', table: 'opens' } },
  {
    name: 'app_events.ndjson',
    about: 'events that apps reported; value is in units of currency',
    tables: ['app_events'],
    source: { kind: 'rows', table: 'app_events' },
  },
  {
    name: 'orphans.ndjson',
    about: 'requests for addresses that no link had; count says how many a row stands for',
    tables: ['orphans'],
    source: { kind: 'rows', table: 'orphans' },
  },
  {
    name: 'health.ndjson',
    about: 'what the health checks said, from when to when',
    tables: ['health_history'],
    source: ofProject('healthHistory', { type: 'HealthEntry' }),
  },
];

/** The document of a list, with the variables `id` and `cursor`. */
export function documentOf({ field, owner, shown, limit = LIMIT }: ListSource, schema: GraphQLSchema) {
  const selection = typeof shown === 'string' ? shown : selectAll(schema, shown.type);
  return `query ($id: ID!, $cursor: String) {
    ${field}(${owner}: $id, limit: ${limit}, cursor: $cursor) { ${pageOf(selection)} } }`;
}

/** Selects every field of a type that is not shown by REST, in the spelling of the wire. */
function selectAll(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no type of an object`);
  const fields = Object.values(type.getFields()).map((field) => {
    const inner = getNamedType(field.type);
    return `${snakeCase(field.name)}: ${field.name}${isLeafType(inner) ? '' : ` { ${selectAll(schema, inner.name)} }`}`;
  });
  return fields.join(' ');
}
