import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { clock } from '../../src/kernel/clock.ts';
import type { ApiKey } from '../../src/models/ApiKey.ts';
import { createKey } from '../../src/services/keys/createKey.ts';
import type { ShownKey } from '../../src/services/keys/insertKey.ts';
import { keepKey } from '../../src/services/keys/keepKey.ts';
import { listKeys } from '../../src/services/keys/listKeys.ts';
import { revokeKey } from '../../src/services/keys/revokeKey.ts';
import { rollKey } from '../../src/services/keys/rollKey.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { Time } from '../scalars.ts';
import { KeyPageType, KeyType } from './KeyType.ts';
import { CreateKeyInput, KeysArgs, RollKeyInput } from './keyInputs.ts';

@Resolver(() => KeyType)
export class KeyResolver {
  @Query(() => KeyPageType, { description: 'Keys of a project, newest first, revoked ones included.' })
  keys(
    @Args(() => KeysArgs) { projectId, ...request }: KeysArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ApiKey>> {
    return listKeys(principal, projectId, request);
  }

  @Mutation(() => KeyType, { description: 'Makes a key and shows it.' })
  createKey(
    @Arg('input', () => CreateKeyInput) input: CreateKeyInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownKey> {
    return createKey(principal, input);
  }

  @Mutation(() => KeyType, {
    description: 'Replaces a key by a new one, which is shown; the old one ends a while later.',
  })
  rollKey(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RollKeyInput) input: RollKeyInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownKey> {
    return rollKey(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Ends the key at once.' })
  async revokeKey(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await revokeKey(principal, id);
    return true;
  }

  @Mutation(() => KeyType, {
    description:
      'Lets a key go on that is about to end because its maker has left; it is yours then. For owners and admins.',
  })
  keepKey(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<ApiKey> {
    return keepKey(principal, id);
  }

  @FieldResolver(() => Time, {
    nullable: true,
    description: 'When it ends; also of a key that ends because its maker has left the team.',
  })
  expiresAt(@Root() { expiresAt, revokeAt }: ApiKey): Date | null {
    return expiresAt && revokeAt
      ? new Date(Math.min(expiresAt.getTime(), revokeAt.getTime()))
      : (expiresAt ?? revokeAt);
  }

  @FieldResolver(() => Time, { nullable: true })
  revokedAt(@Root() { revokedAt, revokeAt }: ApiKey): Date | null {
    return revokedAt ?? (revokeAt && revokeAt.getTime() <= clock.now() ? revokeAt : null);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is about to end because its maker has left the team; keepKey lets it go on.',
  })
  endsWithMember(@Root() { revokeAt, endsAt }: ApiKey): boolean {
    return revokeAt !== null && endsAt !== null && endsAt.getTime() > clock.now();
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'E-mail or name of what createdBy says; null when it is gone.',
  })
  creatorName(@Root() { createdBy }: ApiKey, @Ctx() { loaders }: Context): Promise<string | null> | null {
    return createdBy === null ? null : loaders.actorNames.load(createdBy);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The key itself: of a publishable one always, of a secret one in the answer that makes it alone.',
  })
  key(@Root() { key, publishableKey }: ApiKey & Partial<ShownKey>): string | null {
    return key ?? publishableKey;
  }
}
