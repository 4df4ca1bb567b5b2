import { Args, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { countLinks, type LinkCount, type LinkGroup } from '../../src/services/links/countLinks.ts';
import type { Context } from '../context.ts';
import { LinkCountArgs } from './linkInputs.ts';

@ObjectType('LinkGroup')
class LinkGroupType implements LinkGroup {
  @Field(() => String, { nullable: true, description: 'The status, tag or domain; null: links without a tag.' })
  declare key: string | null;
  @Field(() => Int) declare count: number;
}

@ObjectType('LinkCount')
class LinkCountType implements LinkCount {
  @Field(() => Int) declare count: number;
  @Field(() => [LinkGroupType], { nullable: true, description: 'Most links first; null without group_by.' })
  declare data: LinkGroupType[] | null;
}

@Resolver()
export class LinkCountResolver {
  @Query(() => LinkCountType, { description: 'How many links the filters leave, by status, tag or domain if asked.' })
  linkCount(
    @Args(() => LinkCountArgs) { projectId, ...filter }: LinkCountArgs,
    @Ctx() { principal }: Context,
  ): Promise<LinkCountType> {
    return countLinks(principal, projectId, filter);
  }
}
