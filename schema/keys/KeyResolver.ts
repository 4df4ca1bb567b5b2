import { Arg, Args, ArgsType, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { SCOPES } from '../../src/access/scopes.ts';
import type { ApiKey } from '../../src/models/ApiKey.ts';
import type { Page } from '../../src/services/paging.ts';
import { createKey, listKeys, revokeKey } from '../../src/services/projects/keys.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';

@ObjectType('Key')
class KeyType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String) declare name: string;
  @Field(() => String, { description: 'secret or publishable.' }) declare kind: string;
  @Field(() => [String]) declare scopes: string[];
  @Field(() => String) declare lastFour: string;
  @Field(() => String, { nullable: true, description: 'A publishable key in full; null for a secret one.' })
  declare publishableKey: string | null;
  @Field(() => Time, { nullable: true, description: 'At most a minute old.' }) declare lastUsedAt: Date | null;
  @Field(() => Time, { nullable: true }) declare expiresAt: Date | null;
  @Field(() => Time, { nullable: true }) declare revokedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('KeyPage')
class KeyPageType {
  @Field(() => [KeyType]) declare data: KeyType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('CreatedKey')
class CreatedKeyType {
  @Field(() => KeyType) declare apiKey: KeyType;
  @Field(() => String, { description: 'The key itself; shown here alone.' }) declare key: string;
}

@InputType()
class CreateKeyInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 100 } }) declare name: string;
  @RuleField(() => String, { nullable: true, rule: { enum: ['secret', 'publishable'], notNull: true } })
  declare kind?: 'secret' | 'publishable';
  @RuleField(() => [String], {
    nullable: true,
    description: '["*"] and ["*:read"] are written out; unset: every scope.',
    rule: { items: { enum: ['*', '*:read', ...SCOPES] }, minItems: 1, uniqueItems: true, notNull: true },
  })
  declare scopes?: string[];
  @RuleField(() => Time, { nullable: true }) declare expiresAt?: Date | null;
}

@ArgsType()
class KeysArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@Resolver()
export class KeyResolver {
  @Query(() => KeyPageType)
  keys(
    @Args(() => KeysArgs) { projectId, ...request }: KeysArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ApiKey>> {
    return listKeys(principal, projectId, request);
  }

  @Mutation(() => CreatedKeyType)
  createKey(
    @Arg('input', () => CreateKeyInput) input: CreateKeyInput,
    @Ctx() { principal }: Context,
  ): Promise<{ apiKey: ApiKey; key: string }> {
    return createKey(principal, input);
  }

  @Mutation(() => Boolean, { description: 'Ends the key at once.' })
  async revokeKey(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await revokeKey(principal, id);
    return true;
  }
}
