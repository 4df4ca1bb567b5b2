import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import {
  CODE_RULE,
  EMAIL_RULE,
  GIVEN_PASSWORD_RULE,
  PASSWORD_RULE,
  TEAM_NAME_RULE,
  TOKEN_RULE,
} from './accountRules.ts';

@ObjectType('User')
export class UserType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare email: string;
  @Field(() => Boolean, {
    description:
      'Whether the account may act; until then it can confirm its e-mail, have the mail sent again and sign out.',
  })
  declare emailConfirmed: boolean;
  @Field(() => Boolean, { description: 'Whether signing in needs the code of an authenticator app.' })
  declare secondFactor: boolean;
  @Field(() => Int, { description: 'Recovery codes that were not used yet.' }) declare recoveryCodesLeft: number;
}

@InputType()
export class SignUpInput {
  @RuleField(() => String, { rule: EMAIL_RULE }) declare email: string;
  @RuleField(() => String, { description: 'At least 8 characters.', rule: PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, { nullable: true, description: 'Of the team that is made.', rule: TEAM_NAME_RULE })
  declare teamName?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Of an invitation: its team is joined, and none is made.',
    rule: TOKEN_RULE,
  })
  declare invitationToken?: string | null;
}

@InputType()
export class SignInInput {
  @RuleField(() => String, { rule: { minLength: 3, maxLength: 320 } }) declare email: string;
  @RuleField(() => String, { rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'What the authenticator app shows now, or a recovery code; wanted after second_factor_required.',
    rule: CODE_RULE,
  })
  declare code?: string | null;
}

@InputType()
export class ConfirmEmailInput {
  @RuleField(() => String, { description: 'Of the mailed link.', rule: TOKEN_RULE }) declare token: string;
}
