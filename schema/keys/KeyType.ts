import { Field, ID, ObjectType } from 'type-graphql';
import { SCOPES } from '../../src/access/scopes.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { KEY_KINDS } from '../words.ts';

@ObjectType('Key')
export class KeyType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String) declare name: string;
  @RuleField(() => String, { description: 'secret or publishable.', rule: { enum: KEY_KINDS } }) declare kind: string;
  @RuleField(() => [String], {
    description: 'Written out; empty for a publishable key.',
    rule: { items: { enum: SCOPES } },
  })
  declare scopes: string[];
  @Field(() => String) declare lastFour: string;
  @Field(() => Time, { nullable: true, description: 'At most a minute old.' }) declare lastUsedAt: Date | null;
  @Field(() => ID, { nullable: true, description: 'The user or key that made it, or the user who kept it.' })
  declare createdBy: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('KeyPage')
export class KeyPageType {
  @Field(() => [KeyType]) declare data: KeyType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}
