import { createUnionType, Field, ObjectType } from 'type-graphql';
import type { App } from '../../src/models/Project.ts';
import { APP_PLATFORMS } from '../enums.ts';
import { RuleField } from '../rules.ts';

// The properties are spelled as apps are stored and sent over REST, the fields as GraphQL spells them.

@ObjectType('IosApp', { description: 'An iOS app.' })
class IosAppType {
  @RuleField(() => String, { description: 'ios.', rule: { enum: APP_PLATFORMS } }) declare platform: 'ios';
  @Field(() => String, { name: 'bundleId', description: 'The bundle id, such as com.example.app.' })
  declare bundle_id: string;
  @Field(() => String, { name: 'teamId', description: 'The team id of the Apple developer account.' })
  declare team_id: string;
  @Field(() => String, {
    nullable: true,
    name: 'appStoreId',
    description: 'The digits of its URL in the App Store; null: it is not there.',
  })
  declare app_store_id: string | null;
  @Field(() => String, { nullable: true, description: 'A URL scheme of its own, such as myapp; null: none.' })
  declare scheme: string | null;
}

@ObjectType('AndroidApp', { description: 'An Android app.' })
class AndroidAppType {
  @RuleField(() => String, { description: 'android.', rule: { enum: APP_PLATFORMS } }) declare platform: 'android';
  @Field(() => String, { description: 'The package, such as com.example.app.' }) declare package: string;
  @Field(() => [String], {
    name: 'sha256Fingerprints',
    description: 'SHA-256 fingerprints of its signing certificates, as capital hex digits with colons.',
  })
  declare sha256_fingerprints: string[];
  @Field(() => String, { nullable: true, description: 'A URL scheme of its own, such as myapp; null: none.' })
  declare scheme: string | null;
}

/** An app of a project, told apart by its platform. */
export const AppUnion = createUnionType({
  name: 'App',
  description: 'An app of a project.',
  types: () => [IosAppType, AndroidAppType] as const,
  resolveType: (app: App) => (app.platform === 'ios' ? 'IosApp' : 'AndroidApp'),
});
