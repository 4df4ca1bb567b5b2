import { Args, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import {
  countFacets,
  countLinks,
  type LinkCount,
  type LinkFacets,
  type LinkGroup,
} from '../../src/links/linkCountService.ts';
import type { Context } from '../context.ts';
import { LinkCountArgs, LinkFilterArgs } from './linkArgs.ts';

@ObjectType('LinkGroup', { description: 'The number of links that share a status, tag or domain.' })
class LinkGroupType implements LinkGroup {
  @Field(() => String, { nullable: true, description: 'The status, tag or domain; null for links without a tag.' })
  declare key: string | null;
  @Field(() => Int, { description: 'The number of links in the group.' }) declare count: number;
}

@ObjectType('LinkCount', { description: 'The number of links, in all and by group.' })
class LinkCountType implements LinkCount {
  @Field(() => Int, { description: 'The number of links that match the filters.' }) declare count: number;
  @Field(() => [LinkGroupType], { nullable: true, description: 'In descending order of count; null without group_by.' })
  declare data: LinkGroupType[] | null;
}

@ObjectType('LinkFacets', {
  description:
    'Figures beside a list of links. Each list is counted without the filters of its own kind, and has at most 1,000 groups.',
})
class LinkFacetsType implements LinkFacets {
  @Field(() => Int, { description: 'The number of links that match all filters.' }) declare count: number;
  @Field(() => [LinkGroupType], { description: 'By status, as if no status were chosen; most links first.' })
  declare statuses: LinkGroupType[];
  @Field(() => [LinkGroupType], {
    description:
      'By tag, as if nothing were chosen by tag; a link counts for each of its tags, under null without one.',
  })
  declare tags: LinkGroupType[];
  @Field(() => [LinkGroupType], { description: 'By domain, as if no domain were chosen; most links first.' })
  declare domains: LinkGroupType[];
}

@Resolver()
export class LinkCountResolver {
  @Query(() => LinkCountType, {
    description: 'The number of links that match the filters, by status, tag or domain if asked.',
  })
  linkCount(
    @Args(() => LinkCountArgs) { projectId, ...filter }: LinkCountArgs,
    @Ctx() { principal }: Context,
  ): Promise<LinkCountType> {
    return countLinks(principal, projectId, filter);
  }

  @Query(() => LinkFacetsType, {
    description: 'How many links match the filters, and how many would with another status, tag or domain.',
  })
  linkFacets(
    @Args(() => LinkFilterArgs) { projectId, ...filter }: LinkFilterArgs,
    @Ctx() { principal }: Context,
  ): Promise<LinkFacets> {
    return countFacets(principal, projectId, filter);
  }
}
