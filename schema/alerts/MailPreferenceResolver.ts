import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type MailPreference, mailPreferences, setMailPreferences } from '../../src/alerts/alertService.ts';
import type { Context } from '../context.ts';
import { ALERT_KIND_NAMES } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ObjectType('MailPreference', { description: 'Whether alerts of a kind are mailed to the signed-in user.' })
class MailPreferenceType {
  @RuleField(() => String, { description: 'The kind of alert.', rule: { enum: ALERT_KIND_NAMES } })
  declare kind: string;
  @Field(() => String, { description: 'What alerts of this kind report.' }) declare about: string;
  @Field(() => Boolean, { description: 'Whether these alerts are mailed.' }) declare on: boolean;
}

@ObjectType('MailPreferences', { description: 'The mail settings of the signed-in user in a team.' })
class MailPreferencesType {
  @Field(() => [MailPreferenceType], { description: 'One entry for each kind of alert.' })
  declare kinds: MailPreference[];
}

@ArgsType()
class SetMailPreferencesArgs {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => [String], {
    nullable: true,
    description:
      'The kinds that are mailed; null for the default: all for owners and admins, none for members and viewers.',
    rule: { items: { enum: ALERT_KIND_NAMES }, uniqueItems: true, maxItems: ALERT_KIND_NAMES.length },
  })
  declare kinds?: string[] | null;
}

@Resolver()
export class MailPreferenceResolver {
  @Query(() => MailPreferencesType, { description: 'Which alerts of a team are mailed to the signed-in user.' })
  async mailPreferences(
    @Arg('teamId', () => ID) teamId: string,
    @Ctx() { principal }: Context,
  ): Promise<MailPreferencesType> {
    return { kinds: await mailPreferences(principal, teamId) };
  }

  @Mutation(() => MailPreferencesType, {
    description: 'Chooses which alerts of a team are mailed to the signed-in user.',
  })
  async setMailPreferences(
    @Args(() => SetMailPreferencesArgs) { teamId, kinds = null }: SetMailPreferencesArgs,
    @Ctx() { principal }: Context,
  ): Promise<MailPreferencesType> {
    return { kinds: await setMailPreferences(principal, teamId, kinds) };
  }
}
