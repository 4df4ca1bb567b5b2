import { Field, InputType, Int } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { DeviceFields, ScreenInput } from '../sdk/sdkInputs.ts';

const ADDRESS = {
  nullable: true,
  description: 'An IP address, which is looked up and not stored; the same on both sides when it is left out.',
  rule: { format: 'ip', maxLength: 45 },
};

@InputType({ description: 'A click as the browser of a phone makes it.' })
class SimulatedClickInput {
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 1024 } }) declare userAgent: string;
  @RuleField(() => String, { nullable: true, rule: { maxLength: 256 } }) declare acceptLanguage?: string | null;
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
  @RuleField(() => String, { nullable: true, rule: { maxLength: 64 } }) declare timezone?: string | null;
  @Field(() => ScreenInput, { nullable: true }) declare screen?: ScreenInput | null;
}

@InputType({ description: 'An opening as an app tells of it.' })
class SimulatedOpenInput extends DeviceFields {
  @RuleField(() => String, ADDRESS) declare address?: string | null;
}

@InputType()
export class SimulateMatchInput {
  @Field(() => SimulatedClickInput) declare click: SimulatedClickInput;
  @RuleField(() => [SimulatedClickInput], {
    nullable: true,
    description: 'Other clicks of the same time.',
    rule: { maxItems: 20 },
  })
  declare otherClicks?: SimulatedClickInput[] | null;
  @Field(() => SimulatedOpenInput) declare open: SimulatedOpenInput;
  @RuleField(() => Int, {
    nullable: true,
    description: 'How many people clicked from the address within a day; those given here when nothing is said.',
    rule: { minimum: 1, maximum: 1_000_000 },
  })
  declare addressVisitors?: number | null;
}
