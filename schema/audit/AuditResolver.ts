import { Args, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { listAudit, type ShownAuditEntry } from '../../src/services/audit/listAudit.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { JsonObject, Time } from '../scalars.ts';
import { AuditArgs } from './auditArgs.ts';

@ObjectType('AuditActor')
class AuditActorType {
  @Field(() => String, {
    description: 'user, key, operator (whoever has the machine) or nobody (somebody who was not signed in).',
  })
  declare kind: string;
  @Field(() => ID, { nullable: true }) declare id: string | null;
  @Field(() => String, { nullable: true, description: 'E-mail of a user, name of a key; null when it is gone.' })
  declare name: string | null;
}

@ObjectType('AuditEntry', { description: 'Somebody changed something.' })
class AuditEntryType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare action: string;
  @Field(() => String, { description: 'The action as a sentence.' }) declare about: string;
  @Field(() => AuditActorType) declare actor: AuditActorType;
  @Field(() => ID, { nullable: true, description: 'Null: of the whole team.' }) declare projectId: string | null;
  @Field(() => ID, { nullable: true, description: 'What was changed; it may be gone.' })
  declare subjectId: string | null;
  @Field(() => String, { nullable: true, description: 'What it was called then.' })
  declare subjectName: string | null;
  @Field(() => JsonObject, {
    description: 'Of changes {changes: {field: {from, to}}}, long values cut; never a secret.',
  })
  declare details: Record<string, unknown>;
  @Field(() => Time) declare createdAt: Date;
}

@ObjectType('AuditPage')
class AuditPageType {
  @Field(() => [AuditEntryType]) declare data: AuditEntryType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@Resolver()
export class AuditResolver {
  @Query(() => AuditPageType, { description: 'Who changed what in a team, newest first; for all of its members.' })
  auditLog(
    @Args(() => AuditArgs) { teamId, ...filter }: AuditArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ShownAuditEntry>> {
    return listAudit(principal, teamId, filter);
  }
}
