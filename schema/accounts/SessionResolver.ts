import { Arg, Args, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { endSession, listSessions, type ShownSession, signOutEverywhere } from '../../src/accounts/sessionService.ts';
import type { Page } from '../../src/db/paging.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';

@ObjectType('Session', { description: 'A sign-in that has not ended.' })
class SessionType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { nullable: true, description: 'Such as "Firefox on Windows"; null when unknown.' })
  declare userAgent: string | null;
  @Field(() => Boolean, { description: 'Whether it is the session of this request.' }) declare isCurrent: boolean;
  @Field(() => Time, { description: 'When the session began.' }) declare createdAt: Date;
  @Field(() => Time, { description: 'At most a minute old.' }) declare lastUsedAt: Date;
  @Field(() => Time, { description: 'When the session ends by itself.' }) declare expiresAt: Date;
}

const SessionPageType = pageOf('Session', SessionType);

@Resolver()
export class SessionResolver {
  @Query(() => SessionPageType, { description: 'Your sessions, newest first.' })
  sessions(@Args(() => PageArgs) request: PageArgs, @Ctx() { principal }: Context): Promise<Page<ShownSession>> {
    return listSessions(principal, request);
  }

  @Mutation(() => Boolean, { description: 'Ends one of your sessions.' })
  async endSession(
    @Arg('id', () => ID, { description: 'The id of the session.' }) id: string,
    @Ctx() { principal, setSession }: Context,
  ): Promise<boolean> {
    const { wasCurrent } = await endSession(principal, id);
    if (wasCurrent) setSession?.(null);
    return true;
  }

  @Mutation(() => Boolean, { description: 'Ends every other session of yours, and with isThisToo also this one.' })
  async signOutEverywhere(
    @Arg('isThisToo', () => Boolean, {
      defaultValue: false,
      description: 'Whether the session of this request ends too.',
    })
    isThisToo: boolean,
    @Ctx() { principal, setSession }: Context,
  ): Promise<boolean> {
    await signOutEverywhere(principal, isThisToo);
    if (isThisToo) setSession?.(null);
    return true;
  }
}
