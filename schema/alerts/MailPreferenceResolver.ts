import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { ALERT_KINDS } from '../../src/services/alerts/alertKinds.ts';
import { type MailPreference, mailPreferences, setMailPreferences } from '../../src/services/alerts/mailPreferences.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

const KINDS = Object.keys(ALERT_KINDS);

@ObjectType('MailPreference', { description: 'Whether alerts of a kind are mailed to the signed-in person.' })
class MailPreferenceType {
  @Field(() => String) declare kind: string;
  @Field(() => String) declare about: string;
  @Field(() => Boolean) declare on: boolean;
}

@ObjectType('MailPreferences')
class MailPreferencesType {
  @Field(() => [MailPreferenceType]) declare kinds: MailPreference[];
}

@ArgsType()
class SetMailPreferencesArgs {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => [String], {
    nullable: true,
    description: 'Those that are mailed; null: all for owners and admins, none for members and viewers.',
    rule: { items: { enum: KINDS }, uniqueItems: true, maxItems: KINDS.length },
  })
  declare kinds?: string[] | null;
}

@Resolver()
export class MailPreferenceResolver {
  @Query(() => MailPreferencesType, { description: 'Which alerts of a team are mailed to the signed-in person.' })
  async mailPreferences(
    @Arg('teamId', () => ID) teamId: string,
    @Ctx() { principal }: Context,
  ): Promise<MailPreferencesType> {
    return { kinds: await mailPreferences(principal, teamId) };
  }

  @Mutation(() => MailPreferencesType, {
    description: 'Chooses which alerts of a team are mailed to the signed-in person.',
  })
  async setMailPreferences(
    @Args(() => SetMailPreferencesArgs) { teamId, kinds = null }: SetMailPreferencesArgs,
    @Ctx() { principal }: Context,
  ): Promise<MailPreferencesType> {
    return { kinds: await setMailPreferences(principal, teamId, kinds) };
  }
}
