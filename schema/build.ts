import 'reflect-metadata';
import {
  assertObjectType,
  defaultFieldResolver,
  extendSchema,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  lexicographicSortSchema,
  parse,
} from 'graphql';
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { SCOPES } from '../src/access/scopes.ts';
import { signUpPolicy } from '../src/accounts/signUpService.ts';
import { EVENT_TYPES, type EventType } from '../src/events/catalogue.ts';
import { FORMAT_COLUMNS } from '../src/imports/importService.ts';
import { config } from '../src/kernel/config.ts';
import { ERROR_STATUS, validationFailed } from '../src/kernel/errors.ts';
import { VERSION } from '../src/kernel/version.ts';
import { sampleEnvelope } from '../src/webhooks/eventService.ts';
import { AccountResolver } from './accounts/AccountResolver.ts';
import { EmailChangeResolver } from './accounts/EmailChangeResolver.ts';
import { InvitationResolver } from './accounts/InvitationResolver.ts';
import { MemberResolver } from './accounts/MemberResolver.ts';
import { PasswordResolver } from './accounts/PasswordResolver.ts';
import { SecondFactorResolver } from './accounts/SecondFactorResolver.ts';
import { SessionResolver } from './accounts/SessionResolver.ts';
import { TeamResolver } from './accounts/TeamResolver.ts';
import { AlertResolver } from './alerts/AlertResolver.ts';
import { MailPreferenceResolver } from './alerts/MailPreferenceResolver.ts';
import { AnalyticsResolver, AnalyticsRowResolver } from './analytics/AnalyticsResolver.ts';
import { ClickResolver } from './analytics/ClickResolver.ts';
import { LinkSeriesResolver } from './analytics/LinkSeriesResolver.ts';
import { UnknownLinkResolver } from './analytics/UnknownLinkResolver.ts';
import { AuditResolver } from './audit/AuditResolver.ts';
import type { Context } from './context.ts';
import { AccountDeletionResolver } from './deletion/AccountDeletionResolver.ts';
import { DeletionResolver } from './deletion/DeletionResolver.ts';
import { describeSharedNames } from './descriptions.ts';
import { DomainRecordResolver, DomainResolver } from './domains/DomainResolver.ts';
import { isDraft, resolveDraft } from './draft.ts';
import { remainingProblems } from './dryRun.ts';
import { HealthResolver } from './health/HealthResolver.ts';
import { ImportResolver } from './imports/ImportResolver.ts';
import { schemaOfInputs } from './inputSchema.ts';
import { InstallOpenResolver, InstallResolver, MatchCandidateResolver } from './installs/InstallResolver.ts';
import { BulkResolver } from './links/BulkResolver.ts';
import { DraftResolver } from './links/DraftResolver.ts';
import { LinkCountResolver } from './links/LinkCountResolver.ts';
import { LinkResolver } from './links/LinkResolver.ts';
import { UpsertLinkRowInput } from './links/linkInputs.ts';
import { PageResolver } from './links/PageResolver.ts';
import { QrResolver } from './links/QrResolver.ts';
import { TraceResolver } from './links/TraceResolver.ts';
import { CurrentKeyResolver } from './projects/CurrentKeyResolver.ts';
import { KeyResolver } from './projects/KeyResolver.ts';
import { ProjectResolver } from './projects/ProjectResolver.ts';
import { renewRights } from './renewRights.ts';
import { declaredRule } from './rules.ts';
import { SdkResolver } from './sdk/SdkResolver.ts';
import { TagResolver } from './tags/TagResolver.ts';
import { compileValidator } from './validate.ts';
import { DeliveryResolver } from './webhooks/DeliveryResolver.ts';
import { EventResolver } from './webhooks/EventResolver.ts';
import { WebhookResolver, WebhookSecretResolver } from './webhooks/WebhookResolver.ts';

/** Every resolver class. A class that is missing here is not part of the schema. */
// biome-ignore lint/complexity/noBannedTypes: type-graphql names its resolver classes so
const RESOLVERS: NonEmptyArray<Function> = [
  AccountResolver,
  AlertResolver,
  AnalyticsResolver,
  AnalyticsRowResolver,
  AuditResolver,
  BulkResolver,
  ClickResolver,
  AccountDeletionResolver,
  DeletionResolver,
  DeliveryResolver,
  DomainRecordResolver,
  DomainResolver,
  DraftResolver,
  EmailChangeResolver,
  EventResolver,
  HealthResolver,
  ImportResolver,
  InstallResolver,
  InstallOpenResolver,
  MatchCandidateResolver,
  InvitationResolver,
  CurrentKeyResolver,
  KeyResolver,
  LinkCountResolver,
  LinkResolver,
  LinkSeriesResolver,
  UnknownLinkResolver,
  MemberResolver,
  PageResolver,
  PasswordResolver,
  MailPreferenceResolver,
  ProjectResolver,
  QrResolver,
  SdkResolver,
  SecondFactorResolver,
  SessionResolver,
  TagResolver,
  TeamResolver,
  TraceResolver,
  WebhookResolver,
  WebhookSecretResolver,
];

/** Input types that no argument has: free-form rows of lists follow them, see `x-input`. */
// biome-ignore lint/complexity/noBannedTypes: type-graphql's own type of classes
const ROWS: Function[] = [UpsertLinkRowInput];

/** The GraphQL schema, with its rules enforced on every field with arguments. */
export function buildGraphqlSchema(): GraphQLSchema {
  const built = buildSchemaSync({ resolvers: RESOLVERS, orphanedTypes: ROWS, validate: false });
  restoreInheritedRules(built);
  const schema = lexicographicSortSchema(withService(built));
  describeSharedNames(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) enforceRules(field);
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) renewRights(field);
  return schema;
}

/**
 * Arguments that break a rule are refused before the resolver, all of them at once, with what the service refuses of the
 * rest.
 */
function enforceRules(field: GraphQLField<unknown, Context>): void {
  if (field.args.length === 0) return;
  const validate = compileValidator(schemaOfInputs(field.args, 'graph'));
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (root, args, context, info) => {
    const problems = context.problems ?? validate(args);
    if (isDraft(field))
      return resolveDraft(field, (some, facts) => resolve(root, some, facts, info), args, context, problems);
    if (problems.length === 0) return resolve(root, args, context, info);
    const dryRun = (some: typeof args) => resolve(root, some, context, info);
    return remainingProblems(field, dryRun, args, context, problems).then((more) => {
      throw validationFailed([...problems, ...more]);
    });
  };
}

const typeDefs = /* GraphQL */ `
  "What this installation is, and the words that it uses."
  type Service {
    "The URL of this installation, without a slash at the end."
    baseUrl: String!
    "The host of short links of projects without a domain of their own."
    linkDomain: String!
    "The version of the product, such as 1.4.0."
    version: String!
    "Whether mails are sent, such as those for forgotten passwords."
    sendsMail: Boolean!
    "Whether clicks have regions and cities, which takes a city database."
    knowsCities: Boolean!
    "Whether webhooks may lead to private addresses, such as a receiver on this machine."
    allowsPrivateTargets: Boolean!
    "Days for which what was deleted can be restored: projects, teams and accounts; 0: not at all."
    deletionDays: Int!
    "Who may make an account: open, invitation or closed."
    signUp: String!
    "Every scope that a key can have."
    scopes: [String!]!
    "Every code that an error can have."
    errorCodes: [ErrorCode!]!
    "Every type of event that a webhook can subscribe to."
    eventTypes: [EventType!]!
    "The files that can be imported."
    importFormats: [ImportColumns!]!
  }

  "A kind of file that can be imported."
  type ImportColumns {
    "The program that writes it; svc is our own export."
    format: ImportFormat!
    "The columns that are read; case, spaces and underscores do not matter, and most have other names too."
    columns: [String!]!
  }

  "A code of errors."
  type ErrorCode {
    "The code, such as not_found."
    code: String!
    "The HTTP status of the responses of REST with this code."
    status: Int!
  }

  "A type of events."
  type EventType {
    "The name of the type, such as link.created."
    type: String!
    "What has happened, as a sentence."
    about: String!
    "The body of a test event of this type, with ids that are made up."
    sample: JSONObject!
  }

  extend type Query {
    "What this installation is, and the words that it uses."
    service: Service!
  }
`;

const resolvers: Record<string, Record<string, GraphQLFieldResolver<never, Context>>> = {
  EventType: { sample: ({ type }: { type: EventType }) => sampleEnvelope(type) },
  Query: {
    service: (_: unknown, __: unknown, { isFromThisMachine }: Context) => ({
      baseUrl: config.baseUrl,
      linkDomain: config.linkDomain,
      version: VERSION,
      sendsMail: config.smtpUrl !== null,
      knowsCities: config.cityDatabase !== null,
      allowsPrivateTargets: config.allowPrivateTargets,
      deletionDays: config.deletionDays,
      signUp: signUpPolicy(isFromThisMachine),
      scopes: SCOPES,
      errorCodes: Object.entries(ERROR_STATUS).map(([code, status]) => ({ code, status })),
      eventTypes: Object.entries(EVENT_TYPES).map(([type, about]) => ({ type, about })),
      importFormats: FORMAT_COLUMNS,
    }),
  },
};

/** Adds the part of the schema that is derived from tables. */
function withService(built: GraphQLSchema): GraphQLSchema {
  const schema = extendSchema(built, parse(typeDefs));
  for (const [type, fields] of Object.entries(resolvers)) {
    const known = assertObjectType(schema.getType(type)).getFields();
    for (const [name, resolve] of Object.entries(fields)) Object.assign(known[name] as object, { resolve });
  }
  return schema;
}

/**
 * type-graphql 2.0.0-rc.4 drops the extensions of fields that a type inherits from its parent class, and our rules with
 * them. This puts them back, as the parents declared them.
 */
function restoreInheritedRules(schema: GraphQLSchema): void {
  const { inputTypes, objectTypes } = getMetadataStorage();
  for (const { target, name } of [...inputTypes, ...objectTypes]) {
    const type = schema.getType(name);
    if (!isInputObjectType(type) && !isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const rule = declaredRule(target.prototype, field.name);
      if (rule) field.extensions = { ...field.extensions, rule };
    }
  }
}
