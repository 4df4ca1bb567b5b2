import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Link } from '../../src/models/Link.ts';
import { createLink } from '../../src/services/links/createLink.ts';
import { deleteLink } from '../../src/services/links/deleteLink.ts';
import { lookUpLink, readLink } from '../../src/services/links/findLink.ts';
import { listLinks } from '../../src/services/links/listLinks.ts';
import { archiveLink, updateLink } from '../../src/services/links/updateLink.ts';
import { upsertLink } from '../../src/services/links/upsertLink.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { LinkPageType, LinkType, UpsertedLinkType } from './LinkType.ts';
import {
  CreateLinkInput,
  LinkFilterArgs,
  LinkLookupArgs,
  LinkPageArgs,
  UpdateLinkInput,
  UpsertLinkArgs,
  UpsertLinkInput,
} from './linkInputs.ts';

@Resolver(() => LinkType)
export class LinkResolver {
  @Query(() => LinkPageType, { description: 'Links of a project, newest first.' })
  links(
    @Args(() => LinkFilterArgs) { projectId, ...filter }: LinkFilterArgs,
    @Args(() => LinkPageArgs) page: LinkPageArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Link>> {
    return listLinks(principal, projectId, { ...filter, ...page });
  }

  @Query(() => LinkType, { description: 'One link, by its id or ext_<external id>.' })
  link(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Link> {
    return readLink(principal, id);
  }

  @Query(() => LinkType, { description: 'One link, by domain and slug, external id, or short URL.' })
  lookupLink(
    @Args(() => LinkLookupArgs) { projectId, ...by }: LinkLookupArgs,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return lookUpLink(principal, projectId, by);
  }

  @Mutation(() => LinkType)
  createLink(
    @Arg('input', () => CreateLinkInput) input: CreateLinkInput,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return createLink(principal, input);
  }

  @Mutation(() => LinkType, { description: 'Replaces the fields that are sent; null clears one.' })
  updateLink(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateLinkInput) input: UpdateLinkInput,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return updateLink(principal, id, input);
  }

  @Mutation(() => UpsertedLinkType, { description: 'Creates the link with that external id, or changes it.' })
  upsertLink(
    @Args(() => UpsertLinkArgs) { projectId, externalId }: UpsertLinkArgs,
    @Arg('input', () => UpsertLinkInput) input: UpsertLinkInput,
    @Ctx() { principal }: Context,
  ): Promise<{ created: boolean; link: Link }> {
    return upsertLink(principal, { projectId, externalId, input });
  }

  @Mutation(() => LinkType, { description: 'Stops the link; safe to repeat.' })
  archiveLink(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Link> {
    return archiveLink(principal, id, true);
  }

  @Mutation(() => LinkType, { description: 'Lets an archived link work again; safe to repeat.' })
  unarchiveLink(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Link> {
    return archiveLink(principal, id, false);
  }

  @Mutation(() => Boolean, { description: 'Deletes the link and frees its slug.' })
  async deleteLink(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await deleteLink(principal, id);
    return true;
  }

  @FieldResolver(() => [String], { description: 'Names, in alphabetical order.' })
  async tags(@Root() link: Link, @Ctx() { loaders }: Context): Promise<string[]> {
    return link.tagNames ?? loaders.linkTags.load(link.id);
  }
}
