import { Field, ID, ObjectType } from 'type-graphql';
import { Time } from '../scalars.ts';

@ObjectType('Key')
export class KeyType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String) declare name: string;
  @Field(() => String, { description: 'secret or publishable.' }) declare kind: string;
  @Field(() => [String], { description: 'Written out; empty for a publishable key.' }) declare scopes: string[];
  @Field(() => String) declare lastFour: string;
  @Field(() => Time, { nullable: true, description: 'At most a minute old.' }) declare lastUsedAt: Date | null;
  @Field(() => Time, { nullable: true }) declare expiresAt: Date | null;
  @Field(() => Time, { nullable: true }) declare revokedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('KeyPage')
export class KeyPageType {
  @Field(() => [KeyType]) declare data: KeyType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}
