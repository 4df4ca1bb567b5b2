import { Args, ArgsType, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { AUDIT_ACTION_NAMES, listAudit, listAuditActions, type ShownAuditEntry } from '../../src/audit/auditService.ts';
import type { Page } from '../../src/db/paging.ts';
import { JsonObject, PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { ACTOR_KINDS } from '../enums.ts';
import { RuleField } from '../rules.ts';

const rule = { minLength: 1, maxLength: 255 };

@ArgsType()
class AuditArgs extends PageArgs {
  @RuleField(() => ID, { rule }) declare teamId: string;
  @RuleField(() => ID, { nullable: true, description: 'Only changes in this project.', rule })
  declare projectId?: string;
  @RuleField(() => ID, { nullable: true, description: 'A user or a key.', rule }) declare actorId?: string;
  @RuleField(() => String, { nullable: true, description: 'Only this action.', rule: { enum: AUDIT_ACTION_NAMES } })
  declare action?: string;
  @RuleField(() => [String], {
    nullable: true,
    description: 'Only these actions, those of auditActions.',
    rule: { maxItems: 100, items: { enum: AUDIT_ACTION_NAMES } },
  })
  declare actions?: string[];
  @RuleField(() => ID, { nullable: true, description: 'The id of what was changed, also after its deletion.', rule })
  declare subjectId?: string;
  @RuleField(() => Time, { nullable: true, description: 'At this moment or later.' }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Before this moment.' }) declare createdBefore?: Date;
}

@ObjectType('AuditActor', { description: 'Who made a change.' })
export class AuditActorType {
  @RuleField(() => String, {
    description: 'user, key, operator (of this installation) or nobody (a request without a session).',
    rule: { enum: ACTOR_KINDS },
  })
  declare kind: string;
  @Field(() => ID, { nullable: true, description: 'The id of the user or key; null for others.' }) declare id:
    | string
    | null;
  @Field(() => String, {
    nullable: true,
    description:
      'The e-mail of a user or the name of a key; of a former member, the one with which they left; null once they are deleted.',
  })
  declare name: string | null;
}

@ObjectType('AuditEntry', { description: 'A recorded change.' })
class AuditEntryType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the action, such as link.created.' }) declare action: string;
  @Field(() => String, { description: 'The action as a sentence.' }) declare about: string;
  @Field(() => AuditActorType, { description: 'Who made the change.' }) declare actor: AuditActorType;
  @Field(() => ID, { nullable: true, description: 'Null for the whole team.' }) declare projectId: string | null;
  @Field(() => ID, { nullable: true, description: 'The id of what was changed, which may have been deleted since.' })
  declare subjectId: string | null;
  @Field(() => String, { nullable: true, description: 'Its name at that time.' })
  declare subjectName: string | null;
  @Field(() => JsonObject, {
    description: 'For changes {changes: {field: {from, to}}}, with long values truncated; never a secret.',
  })
  declare details: Record<string, unknown>;
  @Field(() => Time) declare createdAt: Date;
}

@ObjectType('AuditAction', { description: 'An action that the audit log records.' })
class AuditActionType {
  @Field(() => String, { description: 'Its name, such as link.created.' }) declare action: string;
  @Field(() => String, { description: 'The action as a sentence.' }) declare about: string;
}

const AuditPageType = pageOf('Audit', AuditEntryType);

@Resolver()
export class AuditResolver {
  @Query(() => AuditPageType, { description: 'The audit log of a team, newest first; for all of its members.' })
  auditLog(
    @Args(() => AuditArgs) { teamId, ...filter }: AuditArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ShownAuditEntry>> {
    return listAudit(principal, teamId, filter);
  }

  @Query(() => [AuditActionType], { description: 'Every action that the audit log records.' })
  auditActions(@Ctx() { principal }: Context): AuditActionType[] {
    return listAuditActions(principal);
  }
}
