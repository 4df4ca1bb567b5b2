import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { JsonObject, pageOf, SafeInt, Time } from '../commonTypes.ts';
import { APP_PLATFORMS, OPEN_KINDS, TOKEN_SOURCES, VERDICTS } from '../enums.ts';
import { RuleField } from '../rules.ts';
import { DeviceFields, MatchFactorType, MatchType, ScreenInput } from '../sdk/sdkTypes.ts';

@ObjectType('Install', { description: 'An app on a device.' })
export class InstallType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => ID, { description: 'The UUID that its SDK made.' }) declare installId: string;
  @RuleField(() => String, { description: 'ios, android or web.', rule: { enum: APP_PLATFORMS } })
  declare platform: string;
  @Field(() => String, {
    nullable: true,
    description: 'The version of the app when it was opened first; null when unknown.',
  })
  declare appVersion: string | null;
  @Field(() => String, { nullable: true, description: 'The version of the operating system; null when unknown.' })
  declare osVersion: string | null;
  @Field(() => Time, { description: 'When the app was opened for the first time.' }) declare firstOpenedAt: Date;
  @Field(() => MatchType, { description: 'Whether and how the install was traced back to a click.' })
  declare match: MatchType;
  @Field(() => Time, {
    nullable: true,
    description: 'When a guess was taken back: another install brought the token of the click.',
  })
  declare matchRevisedAt: Date | null;
  @Field(() => ID, { nullable: true, description: 'The click that led to it; null without a match.' }) declare clickId:
    | string
    | null;
  @Field(() => ID, { nullable: true, description: 'The link that led to it; null without a match.' }) declare linkId:
    | string
    | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

export const InstallPageType = pageOf('Install', InstallType);

@ObjectType('InstallCount', { description: 'The number of installs with the same method or platform.' })
export class InstallCountType {
  @Field(() => String, { nullable: true, description: 'The method or platform; null: all, where nothing is grouped.' })
  declare key: string | null;
  @Field(() => SafeInt, { description: 'The number of installs.' }) declare count: number;
}

@ObjectType('InstallOpen', { description: 'An opening of an app.' })
export class InstallOpenType {
  @Field(() => ID, { description: 'A UUID.' }) declare id: string;
  @RuleField(() => String, { description: 'install, reinstall or open.', rule: { enum: OPEN_KINDS } })
  declare kind: string;
  @Field(() => Time, { description: 'When the app was opened.' }) declare occurredAt: Date;
  @Field(() => MatchType, { description: 'Whether and how the opening was traced back to a click.' })
  declare match: MatchType;
  @Field(() => ID, { nullable: true, description: 'The click that led to it; null without a match.' }) declare clickId:
    | string
    | null;
  @Field(() => ID, { nullable: true, description: 'The link that led to it; null without a match.' }) declare linkId:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'The version of the app; null when unknown.' })
  declare appVersion: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1, two capital letters; null: unknown.' })
  declare country: string | null;
}

@ObjectType('AppEvent', { description: 'Something that happened in an app.' })
export class AppEventType {
  @Field(() => ID, { description: 'The id that the app gave it, or one that was made for it.' }) declare id: string;
  @Field(() => String, { description: 'What happened, in a word of the app such as purchase.' }) declare name: string;
  @Field(() => Time, { description: 'When it happened, as the app says.' }) declare occurredAt: Date;
  @Field(() => Float, { nullable: true, description: 'What it was worth; null without a value.' })
  declare value: number | null;
  @Field(() => String, { nullable: true, description: 'Three letters such as EUR; null: the value has none.' })
  declare currency: string | null;
  @Field(() => JsonObject, { nullable: true, description: 'Free-form details.' })
  declare properties: Record<string, unknown> | null;
  @Field(() => Boolean, { description: 'Its value is beyond maxEventValue of the project and left out of sums.' })
  declare isOutlier: boolean;
}

@ObjectType('MatchedAddress', { description: 'What the address of the opening was worth.' })
class MatchedAddressType {
  @Field(() => Boolean, { description: 'Many people have it, so it gave no points.' }) declare shared: boolean;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
  @Field(() => Int, { nullable: true, description: 'Who clicked from there within a day; null: too many to tell.' })
  declare visitors: number | null;
}

@ObjectType('MatchedToken', { description: 'A token of a click that the app brought.' })
class MatchedTokenType {
  @RuleField(() => String, { description: 'link, referrer or clipboard.', rule: { enum: TOKEN_SOURCES } })
  declare source: string;
  @Field(() => Boolean, { description: 'Whether it decided the match.' }) declare accepted: boolean;
  @Field(() => String, { nullable: true, description: 'Why it was not accepted, as a word; null if it was.' })
  declare problem: string | null;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
}

@ObjectType('MatchCandidate', { description: 'A click that was compared with the device.' })
export class MatchCandidateType {
  @Field(() => ID, { description: 'The click that was compared.' }) declare clickId: string;
  @Field(() => ID, { description: 'The link that was clicked.' }) declare linkId: string;
  @Field(() => Time, { description: 'When it was clicked.' }) declare clickedAt: Date;
  @Field(() => Float, { description: 'The sum of its factors.' }) declare score: number;
  @Field(() => [MatchFactorType], { description: 'What spoke for and against it.' }) declare factors: MatchFactorType[];
  @RuleField(() => String, { description: 'matched, or why it was not.', rule: { enum: VERDICTS } })
  declare verdict: string;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
}

@ObjectType('MatchReport', { description: 'Why an opening was traced back to a click, or was not.' })
export class MatchReportType {
  @Field(() => ID, { nullable: true, description: 'Null for what was made up.' }) declare installId: string | null;
  @Field(() => MatchType, { description: 'The outcome.' }) declare match: MatchType;
  @Field(() => Time, {
    nullable: true,
    description: 'When a guess was taken back: another install brought the token of the click.',
  })
  declare matchRevisedAt: Date | null;
  @Field(() => ID, { nullable: true, description: 'The click that matched; null without a match.' }) declare clickId:
    | string
    | null;
  @Field(() => ID, { nullable: true, description: 'The link that matched; null without a match.' }) declare linkId:
    | string
    | null;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
  @Field(() => Int, { description: 'Points that a match needs.' }) declare threshold: number;
  @Field(() => Int, { description: 'Points that it must be ahead of the best click on another link.' })
  declare requiredMargin: number;
  @Field(() => Int, { nullable: true, description: 'Points that it was ahead; null: there was no click on another.' })
  declare margin: number | null;
  @Field(() => MatchedAddressType, { nullable: true, description: 'Null: no clicks were compared.' })
  declare address: MatchedAddressType | null;
  @Field(() => [MatchedTokenType], { description: 'Tokens of clicks that the app brought, with what became of each.' })
  declare tokens: MatchedTokenType[];
  @Field(() => JsonObject, { nullable: true, description: 'What was compared; null: nothing was.' })
  declare device: Record<string, unknown> | null;
  @Field(() => [MatchCandidateType], { description: 'The best first, at most 20.' })
  declare candidates: MatchCandidateType[];
}

const ADDRESS = {
  nullable: true,
  description: 'An IP address, which is looked up and not stored; the same on both sides when it is left out.',
  rule: { format: 'ip', maxLength: 45 },
};

@InputType({ description: 'A click as the browser of a phone makes it.' })
class SimulatedClickInput {
  @RuleField(() => String, {
    description: 'The User-Agent header of the browser.',
    rule: { minLength: 1, maxLength: 1024 },
  })
  declare userAgent: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The Accept-Language header of the browser.',
    rule: { maxLength: 256 },
  })
  declare acceptLanguage?: string | null;
  @RuleField(() => String, ADDRESS) declare address?: string | null;
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long before the opening; 60 when nothing is said.',
    rule: { minimum: 0, maximum: 604_800 },
  })
  declare secondsBefore?: number | null;
  @RuleField(() => String, {
    nullable: true,
    description:
      'A link of the project (`ext_…` too), for its window; or any word: clicks on the same are on one link.',
    rule: { maxLength: 260 },
  })
  declare link?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'The IANA time zone of the phone, such as `Europe/Berlin`.',
    rule: { maxLength: 64 },
  })
  declare timezone?: string | null;
  @Field(() => ScreenInput, { nullable: true, description: 'The screen as the browser reports it.' })
  declare screen?: ScreenInput | null;
}

@InputType({ description: 'An app opening as the SDK reports it.' })
class SimulatedOpenInput extends DeviceFields {
  @RuleField(() => String, ADDRESS) declare address?: string | null;
}

@InputType({ description: 'A made-up opening of an app, with clicks before it.' })
export class SimulateMatchInput {
  @Field(() => SimulatedClickInput, { description: 'The click that should be found.' })
  declare click: SimulatedClickInput;
  @RuleField(() => [SimulatedClickInput], {
    nullable: true,
    description: 'Other clicks of the same time.',
    rule: { maxItems: 20 },
  })
  declare otherClicks?: SimulatedClickInput[] | null;
  @Field(() => SimulatedOpenInput, { description: 'The opening of the app.' }) declare open: SimulatedOpenInput;
  @RuleField(() => Int, {
    nullable: true,
    description: 'How many people clicked from the address within a day; those given here when nothing is said.',
    rule: { minimum: 1, maximum: 1_000_000 },
  })
  declare addressVisitors?: number | null;
}
