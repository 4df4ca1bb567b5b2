import { Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import { listHealthHistory, runHealthChecks, showHealth } from '../../src/health/healthService.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { CHECK_STATUSES, HEALTH_STATUSES } from '../enums.ts';
import { RuleField } from '../rules.ts';

const STATUSES = 'pass, warn, fail or skip.';

@ObjectType('HealthCheck', { description: 'One check of a project as it is reported.' })
class HealthCheckType {
  @Field(() => String, { description: 'The name of the check.' }) declare name: string;
  @RuleField(() => String, {
    description: `${STATUSES} fail only after two runs in a row that failed.`,
    rule: { enum: CHECK_STATUSES },
  })
  declare status: string;
  @Field(() => String, { description: 'What was found, and what to do about it.' }) declare message: string;
  @Field(() => Time, { nullable: true, description: 'Since when the status is what it is; null before the first run.' })
  declare since: Date | null;
}

@ObjectType('Health', { description: 'The health of a project.' })
class HealthType {
  @RuleField(() => String, { description: 'passing, failing or unknown.', rule: { enum: HEALTH_STATUSES } })
  declare status: string;
  @Field(() => Time, { nullable: true, description: 'When the last run ended; null before the first.' })
  declare checkedAt: Date | null;
  @Field(() => [HealthCheckType], { description: 'Every check there is.' }) declare checks: HealthCheckType[];
}

@ObjectType('HealthEntry', { description: 'What a check said, from when to when.' })
class HealthEntryType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the check.' }) declare name: string;
  @RuleField(() => String, { description: STATUSES, rule: { enum: CHECK_STATUSES } }) declare status: string;
  @Field(() => String, { description: 'As it was in the beginning.' }) declare message: string;
  @Field(() => Time, { description: 'When the check first said so.' }) declare since: Date;
  @Field(() => Time, { nullable: true, description: 'Null: it still says so.' }) declare until: Date | null;
}

const HealthEntryPageType = pageOf('HealthEntry', HealthEntryType);

@ArgsType()
class HealthArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@ArgsType()
class HealthHistoryArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@Resolver()
export class HealthResolver {
  @Query(() => HealthType, { description: 'The health of a project as the last run of its checks left it.' })
  health(@Args(() => HealthArgs) { projectId }: HealthArgs, @Ctx() { principal }: Context): Promise<HealthType> {
    return showHealth(principal, projectId);
  }

  @Query(() => HealthEntryPageType, { description: 'What the checks of a project said before, newest first.' })
  healthHistory(
    @Args(() => HealthHistoryArgs) { projectId, ...page }: HealthHistoryArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<HealthEntryType>> {
    return listHealthHistory(principal, projectId, page);
  }

  @Mutation(() => HealthType, { description: 'Runs the checks of a project now.' })
  runHealthChecks(
    @Args(() => HealthArgs) { projectId }: HealthArgs,
    @Ctx() { principal }: Context,
  ): Promise<HealthType> {
    return runHealthChecks(principal, projectId);
  }
}
