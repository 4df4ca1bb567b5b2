import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { draftLink, duplicatesOf, type LinkDraft } from '../../src/links/draftService.ts';
import type { Link } from '../../src/models/Link.ts';
import { FieldProblemType } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { Draft } from '../draft.ts';
import { LinkType } from './LinkType.ts';
import { DraftLinkInput } from './linkInputs.ts';
import { TraceType, VisitorInput } from './TraceResolver.ts';

@ObjectType('LinkDraft', { description: 'What would become of a link that is being written.' })
class LinkDraftType {
  @Field(() => [FieldProblemType], { description: 'Everything for which the link would be refused now.' })
  declare problems: FieldProblemType[];
  @Field(() => Boolean, { description: 'Whether another link has the slug on this domain.' })
  declare slugTaken: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'The URL to share; null while the slug is still to be generated, or slug or domain cannot be used.',
  })
  declare shortUrl: string | null;
  @Field(() => TraceType, {
    nullable: true,
    description: 'The way of the visitor; null while something that the router reads is missing or has a problem.',
  })
  declare trace: TraceType | null;
}

@Resolver(() => LinkDraftType)
export class DraftResolver {
  @Draft()
  @Query(() => LinkDraftType, {
    description:
      'Checks and traces a link that is being written; writes nothing, and bad fields are part of the result.',
  })
  draftLink(
    @Arg('projectId', () => ID) projectId: string,
    @Arg('linkId', () => ID, { nullable: true, description: 'The link that would be changed; unset: a new one.' })
    linkId: string | undefined,
    @Arg('input', () => DraftLinkInput, { description: 'The fields of the new link, or the changes.' })
    input: DraftLinkInput,
    @Arg('visitor', () => VisitorInput, { nullable: true, description: 'Whom to trace; unset: nothing is known.' })
    visitor: VisitorInput | undefined,
    @Ctx() { principal, illFormed = new Set() }: Context,
  ): Promise<LinkDraft> {
    return draftLink(principal, { projectId, linkId, input, visitor, illFormed });
  }

  @FieldResolver(() => [LinkType], {
    description: 'The newest five other links of the project with the same destination.',
  })
  duplicates(@Root() draft: LinkDraft): Promise<Link[]> {
    return duplicatesOf(draft);
  }
}
