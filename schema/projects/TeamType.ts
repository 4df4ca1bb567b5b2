import { Field, ID, ObjectType } from 'type-graphql';
import { Time } from '../scalars.ts';

@ObjectType('Team')
export class TeamType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare name: string;
  @Field(() => String, { description: 'active, or read_only in survival mode.' }) declare status: string;
  @Field(() => String, { nullable: true }) declare readOnlyReason: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}
