import { Arg, Args, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { endSessionById } from '../../src/services/accounts/endSessionById.ts';
import { listSessions, type ShownSession } from '../../src/services/accounts/listSessions.ts';
import { signOutEverywhere } from '../../src/services/accounts/signOutEverywhere.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { Time } from '../scalars.ts';

@ObjectType('Session', { description: 'A sign-in that has not ended.' })
class SessionType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { nullable: true, description: 'As "Firefox on Windows"; null when the browser did not tell.' })
  declare userAgent: string | null;
  @Field(() => Boolean, { description: 'Whether this request belongs to it.' }) declare isCurrent: boolean;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time, { description: 'At most a minute old.' }) declare lastUsedAt: Date;
  @Field(() => Time) declare expiresAt: Date;
}

@ObjectType('SessionPage')
class SessionPageType {
  @Field(() => [SessionType]) declare data: SessionType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@Resolver()
export class SessionResolver {
  @Query(() => SessionPageType, { description: 'Your sessions, newest first.' })
  sessions(@Args(() => PageArgs) request: PageArgs, @Ctx() { principal }: Context): Promise<Page<ShownSession>> {
    return listSessions(principal, request);
  }

  @Mutation(() => Boolean, { description: 'Ends one of your sessions.' })
  async endSession(@Arg('id', () => ID) id: string, @Ctx() { principal, setSession }: Context): Promise<boolean> {
    const { wasCurrent } = await endSessionById(principal, id);
    if (wasCurrent) setSession?.(null);
    return true;
  }

  @Mutation(() => Boolean, { description: 'Ends every other session of yours, and with isThisToo this one as well.' })
  async signOutEverywhere(
    @Arg('isThisToo', () => Boolean, { defaultValue: false }) isThisToo: boolean,
    @Ctx() { principal, setSession }: Context,
  ): Promise<boolean> {
    await signOutEverywhere(principal, isThisToo);
    if (isThisToo) setSession?.(null);
    return true;
  }
}
