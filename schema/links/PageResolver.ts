import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { type PageMetadata, pageMetadata } from '../../src/links/pageService.ts';
import { FileType } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { PAGE_PROBLEMS } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ObjectType('PageMetadata', { description: 'What a web page says about itself; plain text, to be shown as such.' })
class PageMetadataType {
  @Field(() => String, { nullable: true, description: 'Its title for cards, else its own title.' })
  declare title: string | null;
  @Field(() => String, { nullable: true, description: 'Its description for cards, else its own.' })
  declare description: string | null;
  @Field(() => String, { nullable: true, description: 'The name of the site that it is part of.' })
  declare siteName: string | null;
  @Field(() => String, { nullable: true, description: 'The URL of its picture for cards.' })
  declare imageUrl: string | null;
  @Field(() => FileType, {
    nullable: true,
    description: 'That picture, where it is a PNG, JPEG, WebP or GIF of at most 1 MB.',
  })
  declare image: FileType | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Why the page could not be read; null: it was read, and what is null it does not say.',
    rule: { enum: PAGE_PROBLEMS },
  })
  declare problem: string | null;
}

@Resolver()
export class PageResolver {
  @Query(() => PageMetadataType, {
    description:
      'Reads what the page at a URL says about itself, to suggest a title and a card for a link to it. The URL of a picture gives that picture.',
  })
  pageMetadata(
    @Arg('projectId', () => ID) projectId: string,
    @Arg('url', () => String, { description: 'An http or https URL.' }) url: string,
    @Ctx() { principal }: Context,
  ): Promise<PageMetadata> {
    return pageMetadata(principal, projectId, url);
  }
}
