import { Field, Int, ObjectType } from 'type-graphql';
import { DEVICES, PLATFORMS } from '../analyticsEnums.ts';
import { Time } from '../commonTypes.ts';
import { RuleField } from '../rules.ts';

// The properties are spelled as routing is stored and sent over REST, the fields as GraphQL spells them.

@ObjectType('QueryCondition', { description: 'A parameter of the query of the short URL.' })
class QueryConditionType {
  @Field(() => String, { description: 'The name of the parameter.' }) declare name: string;
  @Field(() => String, { nullable: true, description: 'The value that it must have; null: any.' })
  declare value: string | null;
}

@ObjectType('NegatedConditions', { description: 'Conditions that must not hold.' })
class NegatedConditionsType {
  @RuleField(() => [String], {
    nullable: true,
    description: 'Operating systems, any of which fits; null: no condition.',
    rule: { items: { enum: PLATFORMS } },
  })
  declare platform: string[] | null;
  @RuleField(() => [String], {
    nullable: true,
    description: 'Kinds of devices, any of which fits; null: no condition.',
    rule: { items: { enum: DEVICES } },
  })
  declare device: string[] | null;
  @Field(() => [String], {
    nullable: true,
    description: 'Countries as two capital letters, any of which fits; null: no condition.',
  })
  declare country: string[] | null;
  @Field(() => [String], {
    nullable: true,
    description: 'Languages such as de or de-AT, any of which fits; null: no condition.',
  })
  declare language: string[] | null;
  @Field(() => [String], {
    nullable: true,
    name: 'referrerHost',
    description: 'Hosts that the visitor comes from, any of which fits; null: no condition.',
  })
  declare referrer_host: string[] | null;
  @Field(() => [QueryConditionType], {
    nullable: true,
    description: 'Parameters of the query, any of which fits; null: no condition.',
  })
  declare query: QueryConditionType[] | null;
  @Field(() => Time, { nullable: true, description: 'From this time on; null: no condition.' })
  declare after: string | null;
  @Field(() => Time, { nullable: true, description: 'Before this time; null: no condition.' })
  declare before: string | null;
}

@ObjectType('RoutingConditions', { description: 'Conditions that must all hold.' })
class RoutingConditionsType extends NegatedConditionsType {
  @Field(() => NegatedConditionsType, { nullable: true, description: 'None of these may hold; null: no condition.' })
  declare not: NegatedConditionsType | null;
}

@ObjectType('RoutingRule', { description: 'A destination for visitors who fit.' })
class RoutingRuleType {
  @Field(() => String, { nullable: true, description: 'A name for analytics; null: its position, such as rule 1.' })
  declare name: string | null;
  @Field(() => RoutingConditionsType, { nullable: true, description: 'Whom it is for.' })
  declare when: RoutingConditionsType | null;
  @Field(() => String, { description: 'Where these visitors go.' }) declare destination: string;
}

@ObjectType('SplitEntry', { description: 'A destination for a share of the visitors.' })
class SplitEntryType {
  @Field(() => String, { nullable: true, description: 'A name for analytics; null: its position.' })
  declare name: string | null;
  @Field(() => String, { description: 'Where this share of the visitors goes.' }) declare destination: string;
  @Field(() => Int, { description: 'Its share is its weight divided by the sum of all weights.' })
  declare weight: number;
}

@ObjectType('PlatformRouting', { description: 'How a link opens the app of one platform.' })
class PlatformRoutingType {
  @Field(() => String, {
    nullable: true,
    name: 'deepLinkPath',
    description: 'The path in the app, with a slash in front; null: the slug.',
  })
  declare deep_link_path: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where visitors without the app go: `store`, or a URL; null: the destination.',
  })
  declare fallback: string | null;
}

@ObjectType('Routing', {
  description: 'Where a link sends its visitors: rules in order, then a weighted split, then the destination.',
})
export class RoutingType {
  @Field(() => [RoutingRuleType], { nullable: true, description: 'The first rule that fits decides; null: none.' })
  declare rules: RoutingRuleType[] | null;
  @Field(() => [SplitEntryType], { nullable: true, description: 'Shares of everyone whom no rule fits; null: none.' })
  declare split: SplitEntryType[] | null;
  @Field(() => Boolean, {
    nullable: true,
    name: 'forwardQuery',
    description: 'Whether the query of the short URL is added to the destination; null: as true.',
  })
  declare forward_query: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    name: 'forwardPath',
    description: 'Whether what follows the slug is added to the destination; null: as false.',
  })
  declare forward_path: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    name: 'openApp',
    description: 'Whether phones open the app of the project; null: as false.',
  })
  declare open_app: boolean | null;
  @Field(() => PlatformRoutingType, { nullable: true, description: 'How the iOS app is opened; null: by default.' })
  declare ios: PlatformRoutingType | null;
  @Field(() => PlatformRoutingType, { nullable: true, description: 'How the Android app is opened; null: by default.' })
  declare android: PlatformRoutingType | null;
}
