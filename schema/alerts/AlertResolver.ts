import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  type AlertCounts,
  acknowledgeAlert,
  closeAlert,
  countAlerts,
  listAlerts,
  readAlert,
} from '../../src/alerts/alertService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Alert } from '../../src/models/Alert.ts';
import type { Link } from '../../src/models/Link.ts';
import type { Webhook } from '../../src/models/Webhook.ts';
import { JsonObject, PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { ALERT_KIND_NAMES, ALERT_SEVERITIES, ALERT_STATUSES } from '../enums.ts';
import { LinkType } from '../links/LinkType.ts';
import { RuleField } from '../rules.ts';
import { WebhookType } from '../webhooks/webhookTypes.ts';

@ObjectType('AlertCounts', { description: 'Alerts that are neither acknowledged nor resolved.' })
class AlertCountsType {
  @Field(() => Int, { description: 'Open alerts that are only worth knowing.' }) declare info: number;
  @Field(() => Int, { description: 'Open alerts that should be looked at soon.' }) declare warning: number;
  @Field(() => Int, { description: 'Open alerts that need action now.' }) declare critical: number;
}

@ObjectType('Alert', { description: 'A problem that someone should look at.' })
class AlertType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { description: 'The team that the alert belongs to.' }) declare teamId: string;
  @Field(() => ID, { nullable: true, description: 'Null for an alert of the whole team.' }) declare projectId:
    | string
    | null;
  @RuleField(() => String, { description: `${ALERT_KIND_NAMES.join(', ')}.`, rule: { enum: ALERT_KIND_NAMES } })
  declare kind: string;
  @RuleField(() => String, { description: 'info, warning or critical.', rule: { enum: ALERT_SEVERITIES } })
  declare severity: string;
  @Field(() => String, { description: 'What happened, in a few words.' }) declare title: string;
  @Field(() => String, { description: 'What happened and what to do, in sentences.' }) declare message: string;
  @Field(() => ID, { nullable: true, description: 'The link that it is about; null if it is about no link.' })
  declare linkId: string | null;
  @Field(() => ID, { nullable: true, description: 'The webhook that it is about; null if it is about no webhook.' })
  declare webhookId: string | null;
  @Field(() => JsonObject, { description: 'Figures behind the message; the fields depend on the kind.' })
  declare details: Record<string, unknown>;
  @Field(() => Time, { nullable: true, description: 'When someone first acknowledged it.' })
  declare acknowledgedAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'When the problem was over.' })
  declare resolvedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

const AlertPageType = pageOf('Alert', AlertType);

@ArgsType()
class AlertCountsArgs {
  @RuleField(() => ID, {
    nullable: true,
    description: 'Alerts of this project; either this or teamId.',
    rule: { implied: 'project' },
  })
  declare projectId?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'All alerts of this team; either this or projectId.',
    rule: { implied: 'project' },
  })
  declare teamId?: string;
}

@ArgsType()
class AlertsArgs extends PageArgs {
  @RuleField(() => ID, {
    nullable: true,
    description: 'Alerts of this project; either this or teamId.',
    rule: { implied: 'project' },
  })
  declare projectId?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'All alerts of this team; either this or projectId.',
    rule: { implied: 'project' },
  })
  declare teamId?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only alerts of this kind.',
    rule: { enum: ALERT_KIND_NAMES },
  })
  declare kind?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only alerts of this severity.',
    rule: { enum: ALERT_SEVERITIES },
  })
  declare severity?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'open: neither acknowledged nor resolved; acknowledged: not resolved yet.',
    rule: { enum: ALERT_STATUSES },
  })
  declare status?: string;
}

@Resolver(() => AlertType)
export class AlertResolver {
  @Query(() => AlertPageType, {
    description: 'Alerts of a project or, with teamId, all alerts of a team; newest first.',
  })
  alerts(@Args(() => AlertsArgs) args: AlertsArgs, @Ctx() { principal }: Context): Promise<Page<Alert>> {
    return listAlerts(principal, args);
  }

  @Query(() => AlertType, { description: 'One alert.' })
  alert(
    @Arg('id', () => ID, { description: 'The id of the alert.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Alert> {
    return readAlert(principal, id);
  }

  @Query(() => AlertCountsType, { description: 'The number of open alerts of a project or, with teamId, of a team.' })
  alertCounts(@Args(() => AlertCountsArgs) args: AlertCountsArgs, @Ctx() { principal }: Context): Promise<AlertCounts> {
    return countAlerts(principal, args);
  }

  @Mutation(() => AlertType, { description: 'Marks it as seen; safe to repeat.' })
  acknowledgeAlert(
    @Arg('id', () => ID, { description: 'The id of the alert.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Alert> {
    return acknowledgeAlert(principal, id);
  }

  @Mutation(() => AlertType, { description: 'Marks the problem as over; safe to repeat.' })
  resolveAlert(
    @Arg('id', () => ID, { description: 'The id of the alert.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Alert> {
    return closeAlert(principal, id);
  }

  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that the alert is about; null for other alerts, and once the link is deleted.',
  })
  link(@Root() { linkId }: Alert, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }

  @FieldResolver(() => WebhookType, {
    nullable: true,
    description: 'The webhook that the alert is about; null for other alerts, and once the webhook is deleted.',
  })
  webhook(@Root() { webhookId }: Alert, @Ctx() { loaders }: Context): Promise<Webhook | null> {
    return loaders.webhooks.load(webhookId);
  }
}
