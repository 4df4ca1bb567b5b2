import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { JsonObject, Time } from '../commonTypes.ts';
import { APP_PLATFORMS, MATCH_METHODS } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ObjectType('MatchFactor', { description: 'Something that spoke for or against a match.' })
export class MatchFactorType {
  @Field(() => String, { description: 'What was compared, or why nothing was found.' }) declare name: string;
  @Field(() => Int, { description: 'What it was worth; negative: it spoke against.' }) declare points: number;
}

@ObjectType('Match', { description: 'Whether and how an opening was traced back to a click.' })
export class MatchType {
  @Field(() => Boolean, { description: 'Whether the opening was traced back to a click.' }) declare matched: boolean;
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
      'The match is not probabilistic: the app sent the URL of the link or the token of a click. This does not prove that the request came from a real device.',
  })
  declare guaranteed: boolean;
  @Field(() => [MatchFactorType], { description: 'What spoke for it, or why nothing was found.' })
  declare factors: MatchFactorType[];
  @Field(() => Time, { nullable: true, description: 'When the link was clicked; null without a match.' })
  declare clickedAt: Date | null;
}

@ObjectType('AppLink', { description: 'A link as apps receive it.' })
class AppLinkType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The path of the short URL, without the slash in front.' }) declare slug: string;
  @Field(() => String, { description: 'Host of the short URL.' }) declare domain: string;
  @Field(() => String, { description: 'The URL that was shared.' }) declare shortUrl: string;
  @Field(() => String, { description: 'Where the link leads in a browser.' }) declare destination: string;
  @Field(() => JsonObject, { description: 'Free-form payload that the link was given for the app.' })
  declare data: Record<string, unknown>;
}

@ObjectType('AppOpen', { description: 'The answer to an app that was opened.' })
export class AppOpenType {
  @Field(() => ID, { description: 'The id of this opening.' }) declare openId: string;
  @Field(() => MatchType, { description: 'Whether and how it was traced back to a click.' }) declare match: MatchType;
  @Field(() => AppLinkType, {
    nullable: true,
    description: 'Where to go; null behind a password not entered.',
  })
  declare link: AppLinkType | null;
}

@ObjectType('ResolvedUrl', { description: 'What a URL leads to.' })
export class ResolvedUrlType {
  @Field(() => AppLinkType, { nullable: true, description: 'The link; null if the URL is none.' })
  declare link: AppLinkType | null;
}

@ObjectType('RecordedEvents', { description: 'What became of the events of an app.' })
export class RecordedEventsType {
  @Field(() => Int, { description: 'Events that were not known yet.' }) declare accepted: number;
  @Field(() => Int, { description: 'Events that were known by their id, and changed nothing.' })
  declare duplicates: number;
}

const INSTALL_ID = { rule: { format: 'uuid', maxLength: 36 }, description: 'The UUID that the SDK made and keeps.' };
const text = (maxLength: number) => ({ nullable: true, rule: { maxLength } });
/** In points of the display, as iOS, Android (dp) and CSS count. */
const LENGTH = { nullable: true, rule: { minimum: 0, maximum: 100_000 } };

@InputType({ description: 'The screen of a device, in points of the display as iOS, Android (dp) and CSS count.' })
export class ScreenInput {
  @RuleField(() => Float, { ...LENGTH, description: 'The shorter or longer side, in points.' }) declare width?:
    | number
    | null;
  @RuleField(() => Float, { ...LENGTH, description: 'The other side, in points.' }) declare height?: number | null;
  @RuleField(() => Float, { ...LENGTH, description: 'Pixels in a point.' }) declare scale?: number | null;
}

@InputType({ description: 'What an app knows of its device.' })
export class DeviceFields {
  @RuleField(() => String, { description: 'The operating system, or web.', rule: { enum: APP_PLATFORMS } })
  declare platform: 'ios' | 'android' | 'web';
  @RuleField(() => String, { ...text(64), description: 'The version of the app.' }) declare appVersion?: string | null;
  @RuleField(() => String, { ...text(64), description: 'The version of the operating system.' }) declare osVersion?:
    | string
    | null;
  @RuleField(() => String, { ...text(128), description: 'The model as the system names it, such as `iPhone15,2`.' })
  declare deviceModel?: string | null;
  @RuleField(() => String, { ...text(64), description: 'As `de-DE`.' }) declare language?: string | null;
  @RuleField(() => String, { ...text(64), description: 'As `Europe/Berlin`.' }) declare timezone?: string | null;
  @Field(() => ScreenInput, { nullable: true, description: 'The screen of the device.' })
  declare screen?: ScreenInput | null;
  @Field(() => Boolean, { nullable: true, description: 'false: no probabilistic matching.' })
  declare consent?: boolean | null;
}

@InputType({ description: 'An opening of an app.' })
export class RecordOpenInput extends DeviceFields {
  @RuleField(() => String, INSTALL_ID) declare installId: string;
  @Field(() => Boolean, { description: 'The app was never opened before, as far as it knows.' })
  declare firstOpen: boolean;
  @RuleField(() => String, { ...text(8192), description: 'The URL that opened the app.' }) declare url?: string | null;
  @RuleField(() => String, { ...text(8192), description: 'The install referrer from Google Play, unchanged.' })
  declare installReferrer?: string | null;
  @RuleField(() => Time, { nullable: true, description: 'referrerClickTimestampServerSeconds of Google Play.' })
  declare referrerClickAt?: Date | null;
  @RuleField(() => Time, { nullable: true, description: 'installBeginTimestampServerSeconds of Google Play.' })
  declare installBeginAt?: Date | null;
  @RuleField(() => String, { ...text(40_960), description: 'What was in the clipboard, as it is.' })
  declare clipboard?: string | null;
}

@InputType({ description: 'A URL that an app was opened with.' })
export class ResolveUrlInput {
  @RuleField(() => String, { description: 'The URL as it is.', rule: { minLength: 1, maxLength: 8192 } })
  declare url: string;
}

const EVENT_ID = {
  nullable: true,
  description: 'Your own name for the event: a repeat with it counts nothing twice.',
  rule: { minLength: 1, maxLength: 255 },
};
const NAME = { minLength: 1, maxLength: 255 };
const OCCURRED_AT = {
  nullable: true,
  description: 'By the clock of the device, which may be wrong: not later than now, and at most 30 days ago.',
};
const VALUE = { nullable: true, rule: { minimum: -1e12, maximum: 1e12 } };
const CURRENCY = {
  nullable: true,
  rule: { pattern: '^[A-Za-z]{3}$', 'x-message': 'Must be a currency of three letters, such as EUR.' },
};
const PROPERTIES = { nullable: true, rule: { 'x-max-bytes': 2048 } };

@InputType({ description: 'Something that happened in an app.' })
class AppEventInput {
  @RuleField(() => String, EVENT_ID) declare id?: string | null;
  @RuleField(() => String, { description: 'What happened, in a word of yours such as purchase.', rule: NAME })
  declare name: string;
  @RuleField(() => Time, OCCURRED_AT) declare occurredAt?: Date | null;
  @RuleField(() => Float, { ...VALUE, description: 'What it was worth; sums are kept for each currency.' })
  declare value?: number | null;
  @RuleField(() => String, { ...CURRENCY, description: 'Three letters such as EUR; unset: the value has no currency.' })
  declare currency?: string | null;
  @RuleField(() => JsonObject, { ...PROPERTIES, description: 'Free-form details, at most 2 KiB as JSON.' })
  declare properties?: Record<string, unknown> | null;
}

@InputType({ description: 'Many events, or the fields of one.' })
export class RecordEventsInput {
  @RuleField(() => String, INSTALL_ID) declare installId: string;
  @RuleField(() => [AppEventInput], {
    nullable: true,
    description: 'Many events; then the fields of a single one stay unset.',
    rule: { minItems: 1, maxItems: 100 },
  })
  declare events?: AppEventInput[] | null;
  @RuleField(() => String, EVENT_ID) declare id?: string | null;
  @RuleField(() => String, { nullable: true, description: 'Needed without `events`.', rule: NAME }) declare name?:
    | string
    | null;
  @RuleField(() => Time, OCCURRED_AT) declare occurredAt?: Date | null;
  @RuleField(() => Float, { ...VALUE, description: 'What it was worth; sums are kept for each currency.' })
  declare value?: number | null;
  @RuleField(() => String, { ...CURRENCY, description: 'Three letters such as EUR; unset: the value has no currency.' })
  declare currency?: string | null;
  @RuleField(() => JsonObject, { ...PROPERTIES, description: 'Free-form details, at most 2 KiB as JSON.' })
  declare properties?: Record<string, unknown> | null;
}
