import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Alert } from '../../src/models/Alert.ts';
import { acknowledgeAlert } from '../../src/services/alerts/acknowledgeAlert.ts';
import { ALERT_KINDS } from '../../src/services/alerts/alertKinds.ts';
import { closeAlert } from '../../src/services/alerts/closeAlert.ts';
import { type AlertCounts, countAlerts } from '../../src/services/alerts/countAlerts.ts';
import { ALERT_STATUSES, listAlerts } from '../../src/services/alerts/listAlerts.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { ALERT_SEVERITIES } from '../words.ts';
import { AlertCountsType } from './AlertCountsType.ts';

const KINDS = Object.keys(ALERT_KINDS);

@ObjectType('Alert', { description: 'Something that people should look at.' })
class AlertType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true, description: 'Null: of the whole team.' }) declare projectId: string | null;
  @RuleField(() => String, { description: `${KINDS.join(', ')}.`, rule: { enum: KINDS } }) declare kind: string;
  @RuleField(() => String, { description: 'info, warning or critical.', rule: { enum: ALERT_SEVERITIES } })
  declare severity: string;
  @Field(() => String) declare title: string;
  @Field(() => String) declare message: string;
  @Field(() => ID, { nullable: true }) declare linkId: string | null;
  @Field(() => ID, { nullable: true }) declare webhookId: string | null;
  @Field(() => JsonObject) declare details: Record<string, unknown>;
  @Field(() => Time, { nullable: true, description: 'When somebody first said that they have seen it.' })
  declare acknowledgedAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'When what it is about was over.' })
  declare resolvedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('AlertPage')
class AlertPageType {
  @Field(() => [AlertType]) declare data: AlertType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ArgsType()
class AlertCountsArgs {
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare projectId?: string;
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare teamId?: string;
}

@ArgsType()
class AlertsArgs extends PageArgs {
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare projectId?: string;
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare teamId?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: KINDS } }) declare kind?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'open: neither acknowledged nor resolved; acknowledged: but not resolved.',
    rule: { enum: ALERT_STATUSES },
  })
  declare status?: string;
}

@Resolver()
export class AlertResolver {
  @Query(() => AlertPageType, {
    description: 'Alerts of a project, or with teamId all of a team; newest first.',
  })
  alerts(@Args(() => AlertsArgs) args: AlertsArgs, @Ctx() { principal }: Context): Promise<Page<Alert>> {
    return listAlerts(principal, args);
  }

  @Query(() => AlertCountsType, { description: 'How many alerts of a project, or with teamId of a team, are open.' })
  alertCounts(@Args(() => AlertCountsArgs) args: AlertCountsArgs, @Ctx() { principal }: Context): Promise<AlertCounts> {
    return countAlerts(principal, args);
  }

  @Mutation(() => AlertType, { description: 'Says that somebody has seen it; safe to repeat.' })
  acknowledgeAlert(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Alert> {
    return acknowledgeAlert(principal, id);
  }

  @Mutation(() => AlertType, { description: 'Says that what it is about is over; safe to repeat.' })
  resolveAlert(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Alert> {
    return closeAlert(principal, id);
  }
}
