import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { SCOPES } from '../../src/access/scopes.ts';
import type { Page } from '../../src/db/paging.ts';
import { clock } from '../../src/kernel/clock.ts';
import type { ApiKey } from '../../src/models/ApiKey.ts';
import { createKey, keepKey, listKeys, revokeKey, rollKey, type ShownKey } from '../../src/projects/keyService.ts';
import { AuditActorType } from '../audit/AuditResolver.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { KEY_KINDS } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ObjectType('Key', { description: 'An API key of a project.' })
export class KeyType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'A name for people.' }) declare name: string;
  @RuleField(() => String, { description: 'secret or publishable.', rule: { enum: KEY_KINDS } }) declare kind: string;
  @RuleField(() => [String], {
    description: 'Without wildcards; empty for a publishable key.',
    rule: { items: { enum: SCOPES } },
  })
  declare scopes: string[];
  @Field(() => String, { description: 'The last four characters, to tell keys apart.' }) declare lastFour: string;
  @Field(() => Time, { nullable: true, description: 'At most a minute old.' }) declare lastUsedAt: Date | null;
  @Field(() => ID, { nullable: true, description: 'The user or key that created it, or the user who kept it.' })
  declare createdBy: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

const KeyPageType = pageOf('Key', KeyType);

@InputType({ description: 'A new key.' })
class CreateKeyInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { description: 'A name for people.', rule: { minLength: 1, maxLength: 100 } })
  declare name: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'secret (the default) for servers, publishable for apps.',
    rule: { enum: KEY_KINDS, notNull: true },
  })
  declare kind?: 'secret' | 'publishable';
  @RuleField(() => [String], {
    nullable: true,
    description:
      '["*"] and ["*:read"] stand for the scopes that they cover; unset: every scope. A publishable key has none.',
    rule: { items: { enum: ['*', '*:read', ...SCOPES] }, minItems: 1, uniqueItems: true, notNull: true },
  })
  declare scopes?: string[];
  @RuleField(() => Time, { nullable: true, description: 'In the future; unset: it never expires.' })
  declare expiresAt?: Date | null;
}

@InputType({ description: 'When the old key ends.' })
class RollKeyInput {
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long the old key goes on working; 0: it ends at once.',
    rule: { minimum: 0, maximum: 86_400, default: 86_400, notNull: true },
  })
  declare expirePreviousSeconds?: number;
}

@ArgsType()
class KeysArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@Resolver(() => KeyType)
export class KeyResolver {
  @Query(() => KeyPageType, { description: 'Keys of a project, newest first, revoked ones included.' })
  keys(
    @Args(() => KeysArgs) { projectId, ...request }: KeysArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ApiKey>> {
    return listKeys(principal, projectId, request);
  }

  @DryRun()
  @Mutation(() => KeyType, { description: 'Creates a key and shows it.' })
  createKey(
    @Arg('input', () => CreateKeyInput, { description: 'The new key.' }) input: CreateKeyInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownKey> {
    return createKey(principal, input);
  }

  @Mutation(() => KeyType, {
    description: 'Replaces a key by a new one, which is shown; the old key ends a while later.',
  })
  rollKey(
    @Arg('id', () => ID, { description: 'The id of the old key.' }) id: string,
    @Arg('input', () => RollKeyInput, { description: 'When the old key ends.' }) input: RollKeyInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownKey> {
    return rollKey(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Ends the key at once.' })
  async revokeKey(
    @Arg('id', () => ID, { description: 'The id of the key.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await revokeKey(principal, id);
    return true;
  }

  @Mutation(() => KeyType, {
    description:
      'Keeps a key that is about to end because its creator has left the team; it belongs to you from then on. For owners and admins.',
  })
  keepKey(
    @Arg('id', () => ID, { description: 'The id of the key.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<ApiKey> {
    return keepKey(principal, id);
  }

  @FieldResolver(() => Time, {
    nullable: true,
    description: 'When it ends, also because its creator has left the team.',
  })
  expiresAt(@Root() { expiresAt, revokeAt }: ApiKey): Date | null {
    return expiresAt && revokeAt
      ? new Date(Math.min(expiresAt.getTime(), revokeAt.getTime()))
      : (expiresAt ?? revokeAt);
  }

  @FieldResolver(() => Time, { nullable: true, description: 'When the key ended; null while it works.' })
  revokedAt(@Root() { revokedAt, revokeAt }: ApiKey): Date | null {
    return revokedAt ?? (revokeAt && revokeAt.getTime() <= clock.now() ? revokeAt : null);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is about to end because its creator has left the team; keepKey keeps it.',
  })
  endsWithMember(@Root() { revokeAt, endsAt }: ApiKey): boolean {
    return revokeAt !== null && endsAt !== null && endsAt.getTime() > clock.now();
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The e-mail of the user or the name of the key in createdBy; of a former member, the one with which they left; null once they are deleted.',
  })
  creatorName(@Root() { createdBy }: ApiKey, @Ctx() { loaders }: Context): Promise<string | null> | null {
    return createdBy === null ? null : loaders.actorNames.load(createdBy);
  }

  @FieldResolver(() => AuditActorType, {
    nullable: true,
    description: 'The user or key in createdBy, by name; null when createdBy is null.',
  })
  async creator(@Root() { createdBy: id }: ApiKey, @Ctx() { loaders }: Context): Promise<AuditActorType | null> {
    if (id === null) return null;
    return { kind: id.startsWith('key_') ? 'key' : 'user', id, name: await loaders.actorNames.load(id) };
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The key itself: a secret key is shown only when it is created.',
  })
  key(@Root() { key, publishableKey }: ApiKey & Partial<ShownKey>): string | null {
    return key ?? publishableKey;
  }
}
