import { Field, Float, InputType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { APP_PLATFORMS } from '../words.ts';

const INSTALL_ID = { rule: { format: 'uuid', maxLength: 36 }, description: 'The UUID that the SDK made and keeps.' };
const text = (maxLength: number) => ({ nullable: true, rule: { maxLength } });
/** In points of the display, as iOS, Android (dp) and CSS count. */
const LENGTH = { nullable: true, rule: { minimum: 0, maximum: 100_000 } };

@InputType()
export class ScreenInput {
  @RuleField(() => Float, LENGTH) declare width?: number | null;
  @RuleField(() => Float, LENGTH) declare height?: number | null;
  @RuleField(() => Float, LENGTH) declare scale?: number | null;
}

@InputType()
export class DeviceFields {
  @RuleField(() => String, { rule: { enum: APP_PLATFORMS } }) declare platform: 'ios' | 'android' | 'web';
  @RuleField(() => String, text(64)) declare appVersion?: string | null;
  @RuleField(() => String, text(64)) declare osVersion?: string | null;
  @RuleField(() => String, text(128)) declare deviceModel?: string | null;
  @RuleField(() => String, { ...text(64), description: 'As `de-DE`.' }) declare language?: string | null;
  @RuleField(() => String, { ...text(64), description: 'As `Europe/Berlin`.' }) declare timezone?: string | null;
  @Field(() => ScreenInput, { nullable: true }) declare screen?: ScreenInput | null;
  @Field(() => Boolean, { nullable: true, description: 'false: no probabilistic matching.' })
  declare consent?: boolean | null;
}

@InputType()
export class RecordOpenInput extends DeviceFields {
  @RuleField(() => String, INSTALL_ID) declare installId: string;
  @Field(() => Boolean, { description: 'The app was never opened before, as far as it knows.' })
  declare firstOpen: boolean;
  @RuleField(() => String, { ...text(8192), description: 'The URL that opened the app.' }) declare url?: string | null;
  @RuleField(() => String, { ...text(8192), description: 'What Google Play told, as it is.' })
  declare installReferrer?: string | null;
  @RuleField(() => Time, { nullable: true, description: 'referrerClickTimestampServerSeconds of Google Play.' })
  declare referrerClickAt?: Date | null;
  @RuleField(() => Time, { nullable: true, description: 'installBeginTimestampServerSeconds of Google Play.' })
  declare installBeginAt?: Date | null;
  @RuleField(() => String, { ...text(40_960), description: 'What was in the clipboard, as it is.' })
  declare clipboard?: string | null;
}

@InputType()
export class ResolveUrlInput {
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 8192 } }) declare url: string;
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

@InputType()
export class AppEventInput {
  @RuleField(() => String, EVENT_ID) declare id?: string | null;
  @RuleField(() => String, { rule: NAME }) declare name: string;
  @RuleField(() => Time, OCCURRED_AT) declare occurredAt?: Date | null;
  @RuleField(() => Float, VALUE) declare value?: number | null;
  @RuleField(() => String, CURRENCY) declare currency?: string | null;
  @RuleField(() => JsonObject, PROPERTIES) declare properties?: Record<string, unknown> | null;
}

@InputType({ description: 'Many events, or the fields of one.' })
export class RecordEventsInput {
  @RuleField(() => String, INSTALL_ID) declare installId: string;
  @RuleField(() => [AppEventInput], { nullable: true, rule: { minItems: 1, maxItems: 100 } })
  declare events?: AppEventInput[] | null;
  @RuleField(() => String, EVENT_ID) declare id?: string | null;
  @RuleField(() => String, { nullable: true, description: 'Needed without `events`.', rule: NAME }) declare name?:
    | string
    | null;
  @RuleField(() => Time, OCCURRED_AT) declare occurredAt?: Date | null;
  @RuleField(() => Float, VALUE) declare value?: number | null;
  @RuleField(() => String, CURRENCY) declare currency?: string | null;
  @RuleField(() => JsonObject, PROPERTIES) declare properties?: Record<string, unknown> | null;
}
