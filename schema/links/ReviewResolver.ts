import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Link } from '../../src/models/Link.ts';
import { reviewLink } from '../../src/services/links/reviewLink.ts';
import type { Context } from '../context.ts';
import { LinkType } from './LinkType.ts';

@Resolver()
export class ReviewResolver {
  @Mutation(() => LinkType, { description: 'Asks for a second look at the flag of a link; safe to repeat.' })
  reviewLink(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Link> {
    return reviewLink(principal, id);
  }
}
