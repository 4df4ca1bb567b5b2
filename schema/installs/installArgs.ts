import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { InstallFilter, InstallGrouping } from '../../src/attribution/installListService.ts';
import type { Install } from '../../src/models/Install.ts';
import type { MatchMethod } from '../../src/models/match.ts';
import { Time } from '../commonTypes.ts';
import { APP_PLATFORMS, INSTALL_GROUPINGS, MATCH_METHODS } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ArgsType()
export class InstallFilterArgs implements InstallFilter {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Installs that this link led to, also when it was deleted; or ext_<external id> of one that there is.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare linkId?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The UUID that its SDK made, or the beginning of it, with or without hyphens; or our whole id.',
    rule: { minLength: 1, maxLength: 100 },
  })
  declare search?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only installs on this platform.',
    rule: { enum: APP_PLATFORMS },
  })
  declare platform?: Install['platform'];
  @RuleField(() => String, {
    nullable: true,
    description: 'Only installs that were traced back in this way.',
    rule: { enum: MATCH_METHODS },
  })
  declare method?: MatchMethod;
  @Field(() => Boolean, {
    nullable: true,
    description: 'true: only installs that were traced back to a click; false: only the others.',
  })
  declare isMatched?: boolean;
  @RuleField(() => Time, { nullable: true, description: 'Created at this moment or later.' })
  declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this moment.' }) declare createdBefore?: Date;
}

@ArgsType()
export class InstallCountArgs extends InstallFilterArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'What the installs are grouped by; nothing when it is left out.',
    rule: { enum: INSTALL_GROUPINGS },
  })
  declare groupBy?: InstallGrouping;
}

/** How much of the timeline of an install is shown. */
@ArgsType()
export class NewestArgs {
  @RuleField(() => Int, {
    nullable: true,
    description: 'The most that are listed; 20 when it is not given.',
    rule: { minimum: 1, maximum: 100 },
  })
  declare limit?: number;
}
