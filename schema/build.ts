import 'reflect-metadata';
import { mergeSchemas } from '@graphql-tools/schema';
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, lexicographicSortSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { validationFailed } from '../src/kernel/errors.ts';
import { AccountResolver } from './accounts/AccountResolver.ts';
import { InvitationResolver } from './accounts/InvitationResolver.ts';
import { MemberResolver } from './accounts/MemberResolver.ts';
import { PasswordResolver } from './accounts/PasswordResolver.ts';
import { SecondFactorResolver } from './accounts/SecondFactorResolver.ts';
import { SessionResolver } from './accounts/SessionResolver.ts';
import { AlertResolver } from './alerts/AlertResolver.ts';
import { MailPreferenceResolver } from './alerts/MailPreferenceResolver.ts';
import { AnalyticsResolver } from './analytics/AnalyticsResolver.ts';
import { AuditResolver } from './audit/AuditResolver.ts';
import type { Context } from './context.ts';
import { DomainResolver } from './domains/DomainResolver.ts';
import { EventResolver } from './events/EventResolver.ts';
import { HealthResolver } from './health/HealthResolver.ts';
import { ImportResolver } from './imports/ImportResolver.ts';
import { restoreInheritedRules } from './inheritedRules.ts';
import { schemaOfInputs } from './inputSchema.ts';
import { InstallResolver } from './installs/InstallResolver.ts';
import { KeyResolver } from './keys/KeyResolver.ts';
import { BulkResolver } from './links/BulkResolver.ts';
import { LinkCountResolver } from './links/LinkCountResolver.ts';
import { LinkResolver } from './links/LinkResolver.ts';
import { QrResolver } from './links/QrResolver.ts';
import { ReviewResolver } from './links/ReviewResolver.ts';
import { TraceResolver } from './links/TraceResolver.ts';
import { ProjectResolver } from './projects/ProjectResolver.ts';
import { TeamResolver } from './projects/TeamResolver.ts';
import { SdkResolver } from './sdk/SdkResolver.ts';
import { SERVICE } from './service.ts';
import { TagResolver } from './tags/TagResolver.ts';
import { compileValidator } from './validate.ts';
import { DeliveryResolver } from './webhooks/DeliveryResolver.ts';
import { WebhookResolver } from './webhooks/WebhookResolver.ts';
import { WebhookSecretResolver } from './webhooks/WebhookSecretResolver.ts';

/** Every resolver class; what is not here is not in the schema. */
// biome-ignore lint/complexity/noBannedTypes: type-graphql names its resolver classes so
const RESOLVERS: NonEmptyArray<Function> = [
  AccountResolver,
  AlertResolver,
  AnalyticsResolver,
  AuditResolver,
  BulkResolver,
  DeliveryResolver,
  DomainResolver,
  EventResolver,
  HealthResolver,
  ImportResolver,
  InstallResolver,
  InvitationResolver,
  KeyResolver,
  LinkCountResolver,
  LinkResolver,
  MemberResolver,
  PasswordResolver,
  MailPreferenceResolver,
  ProjectResolver,
  QrResolver,
  ReviewResolver,
  SdkResolver,
  SecondFactorResolver,
  SessionResolver,
  TagResolver,
  TeamResolver,
  TraceResolver,
  WebhookResolver,
  WebhookSecretResolver,
];

/** The GraphQL schema, with its rules enforced on every root field. */
export function buildGraphqlSchema(): GraphQLSchema {
  const built = buildSchemaSync({ resolvers: RESOLVERS, validate: false });
  restoreInheritedRules(built);
  const schema = lexicographicSortSchema(mergeSchemas({ schemas: [built], ...SERVICE }));
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) enforceRules(field);
  }
  return schema;
}

/** Arguments that break a rule are refused before the resolver, all of them at once. */
function enforceRules(field: GraphQLField<unknown, Context>): void {
  if (field.args.length === 0) return;
  const validate = compileValidator(schemaOfInputs(field.args, 'graph'));
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (root, args, context, info) => {
    const problems = context.validated ? [] : validate(args);
    if (problems.length > 0) throw validationFailed(problems);
    return resolve(root, args, context, info);
  };
}
