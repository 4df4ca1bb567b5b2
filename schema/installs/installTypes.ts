import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { MatchFactorType, MatchType } from '../sdk/sdkTypes.ts';
import { APP_PLATFORMS, TOKEN_SOURCES, VERDICTS } from '../words.ts';

@ObjectType('Install', { description: 'An app on a device.' })
export class InstallType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => ID, { description: 'The UUID that its SDK made.' }) declare installId: string;
  @RuleField(() => String, { description: 'ios, android or web.', rule: { enum: APP_PLATFORMS } })
  declare platform: string;
  @Field(() => String, { nullable: true }) declare appVersion: string | null;
  @Field(() => String, { nullable: true }) declare osVersion: string | null;
  @Field(() => Time) declare firstOpenedAt: Date;
  @Field(() => MatchType) declare match: MatchType;
  @Field(() => Time, {
    nullable: true,
    description: 'When a guess was taken back: another install brought the token of the click.',
  })
  declare matchRevisedAt: Date | null;
  @Field(() => ID, { nullable: true }) declare clickId: string | null;
  @Field(() => ID, { nullable: true }) declare linkId: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('InstallPage')
export class InstallPageType {
  @Field(() => [InstallType]) declare data: InstallType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('MatchedAddress', { description: 'What the address of the opening was worth.' })
class MatchedAddressType {
  @Field(() => Boolean, { description: 'Many people have it, so it gave no points.' }) declare shared: boolean;
  @Field(() => String) declare why: string;
  @Field(() => Int, { nullable: true, description: 'Who clicked from there within a day; null: too many to tell.' })
  declare visitors: number | null;
}

@ObjectType('MatchedToken')
class MatchedTokenType {
  @RuleField(() => String, { description: 'link, referrer or clipboard.', rule: { enum: TOKEN_SOURCES } })
  declare source: string;
  @Field(() => Boolean) declare accepted: boolean;
  @Field(() => String, { nullable: true }) declare problem: string | null;
  @Field(() => String) declare why: string;
}

@ObjectType('MatchCandidate', { description: 'A click that was compared with the device.' })
class MatchCandidateType {
  @Field(() => ID) declare clickId: string;
  @Field(() => ID) declare linkId: string;
  @Field(() => Time) declare clickedAt: Date;
  @Field(() => Float, { description: 'The sum of its factors.' }) declare score: number;
  @Field(() => [MatchFactorType]) declare factors: MatchFactorType[];
  @RuleField(() => String, { description: 'matched, or why it was not.', rule: { enum: VERDICTS } })
  declare verdict: string;
  @Field(() => String) declare why: string;
}

@ObjectType('MatchReport', { description: 'Why an opening was traced back to a click, or was not.' })
export class MatchReportType {
  @Field(() => ID, { nullable: true, description: 'Null for what was made up.' }) declare installId: string | null;
  @Field(() => MatchType) declare match: MatchType;
  @Field(() => Time, {
    nullable: true,
    description: 'When a guess was taken back: another install brought the token of the click.',
  })
  declare matchRevisedAt: Date | null;
  @Field(() => ID, { nullable: true }) declare clickId: string | null;
  @Field(() => ID, { nullable: true }) declare linkId: string | null;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
  @Field(() => Int, { description: 'Points that a match needs.' }) declare threshold: number;
  @Field(() => Int, { description: 'Points that it must be ahead of the best click on another link.' })
  declare requiredMargin: number;
  @Field(() => Int, { nullable: true, description: 'Points that it was ahead; null: there was no click on another.' })
  declare margin: number | null;
  @Field(() => MatchedAddressType, { nullable: true, description: 'Null: no clicks were compared.' })
  declare address: MatchedAddressType | null;
  @Field(() => [MatchedTokenType]) declare tokens: MatchedTokenType[];
  @Field(() => JsonObject, { nullable: true, description: 'What was compared; null: nothing was.' })
  declare device: Record<string, unknown> | null;
  @Field(() => [MatchCandidateType], { description: 'The best first, at most 20.' })
  declare candidates: MatchCandidateType[];
}
