import { Field, ID, Int, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { MATCH_METHODS } from '../words.ts';

@ObjectType('MatchFactor')
export class MatchFactorType {
  @Field(() => String) declare name: string;
  @Field(() => Int) declare points: number;
}

@ObjectType('Match', { description: 'Whether and how an opening was traced back to a click.' })
export class MatchType {
  @Field(() => Boolean) declare matched: boolean;
  @RuleField(() => String, {
    description: 'link, referrer, clipboard, probabilistic or none.',
    rule: { enum: MATCH_METHODS },
  })
  declare method: string;
  @Field(() => Int, { description: '100, or of a guess: of those that say n, n in a hundred are right; at most 99.' })
  declare confidence: number;
  @Field(() => Int, { nullable: true, description: 'Of a guess the sum of its factors; else null.' })
  declare score: number | null;
  @Field(() => Boolean, {
    description:
      'Not guessed: whoever opened the app brought the URL of the link or the token of a click. Nothing proves that it was a real device.',
  })
  declare guaranteed: boolean;
  @Field(() => [MatchFactorType], { description: 'What spoke for it, or why nothing was found.' })
  declare factors: MatchFactorType[];
  @Field(() => Time, { nullable: true }) declare clickedAt: Date | null;
}

@ObjectType('AppLink', { description: 'A link as apps are told of it.' })
export class AppLinkType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare slug: string;
  @Field(() => String) declare domain: string;
  @Field(() => String) declare shortUrl: string;
  @Field(() => String) declare destination: string;
  @Field(() => JsonObject) declare data: Record<string, unknown>;
}

@ObjectType('AppOpen')
export class AppOpenType {
  @Field(() => ID) declare openId: string;
  @Field(() => MatchType) declare match: MatchType;
  @Field(() => AppLinkType, { nullable: true, description: 'Where to go in the app.' })
  declare link: AppLinkType | null;
}

@ObjectType('ResolvedUrl')
export class ResolvedUrlType {
  @Field(() => AppLinkType, { nullable: true }) declare link: AppLinkType | null;
}

@ObjectType('RecordedEvents')
export class RecordedEventsType {
  @Field(() => Int, { description: 'Events that were not known yet.' }) declare accepted: number;
  @Field(() => Int, { description: 'Events that were known by their id, and changed nothing.' })
  declare duplicates: number;
}
