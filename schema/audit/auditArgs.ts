import { ArgsType, ID } from 'type-graphql';
import { NOTED_ACTIONS } from '../../src/services/audit/listAudit.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';

const rule = { minLength: 1, maxLength: 255 };

@ArgsType()
export class AuditArgs extends PageArgs {
  @RuleField(() => ID, { rule }) declare teamId: string;
  @RuleField(() => ID, { nullable: true, rule }) declare projectId?: string;
  @RuleField(() => ID, { nullable: true, description: 'A user or a key.', rule }) declare actorId?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: NOTED_ACTIONS } }) declare action?: string;
  @RuleField(() => ID, { nullable: true, description: 'What was changed, also when it is gone.', rule })
  declare subjectId?: string;
  @RuleField(() => Time, { nullable: true, description: 'At this moment or later.' }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Before this moment.' }) declare createdBefore?: Date;
}
