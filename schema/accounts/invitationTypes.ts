import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { EMAIL_RULE, ROLE_RULE, TOKEN_RULE } from './accountRules.ts';

@ObjectType('Invitation')
export class InvitationType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare teamId: string;
  @Field(() => String) declare email: string;
  @Field(() => String, { description: 'owner, admin, member or viewer.' }) declare role: string;
  @Field(() => ID, { nullable: true, description: 'The user who sent it.' }) declare invitedBy: string | null;
  @Field(() => Time) declare expiresAt: Date;
  @Field(() => Time) declare createdAt: Date;
}

@ObjectType('CreatedInvitation')
export class CreatedInvitationType extends InvitationType {
  @Field(() => String, {
    description: 'Where it is accepted; shown only here, to be handed over where no mail is sent.',
  })
  declare url: string;
  @Field(() => Boolean, { description: 'Whether it is mailed too.' }) declare isMailed: boolean;
}

@ObjectType('InvitationPage')
export class InvitationPageType {
  @Field(() => [InvitationType]) declare data: InvitationType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('OfferedRole', { description: 'What an invitation invites to.' })
export class OfferedRoleType {
  @Field(() => String) declare teamName: string;
  @Field(() => String, { description: 'Whom it is for.' }) declare email: string;
  @Field(() => String) declare role: string;
  @Field(() => Time) declare expiresAt: Date;
}

@InputType()
export class CreateInvitationInput {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => String, { rule: EMAIL_RULE }) declare email: string;
  @RuleField(() => String, { description: 'Owners alone invite owners.', rule: ROLE_RULE }) declare role: string;
}

@ArgsType()
export class InvitationsArgs extends PageArgs {
  @RuleField(() => ID) declare teamId: string;
}

@ArgsType()
export class InvitationTokenArgs {
  @RuleField(() => String, { rule: TOKEN_RULE }) declare token: string;
}
