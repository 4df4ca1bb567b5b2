import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { AuditActor } from '../../src/audit/auditService.ts';
import type { Page } from '../../src/db/paging.ts';
import { reviewLink } from '../../src/links/flagService.ts';
import { listLinks } from '../../src/links/linkListService.ts';
import {
  archiveLink,
  createLink,
  deleteLink,
  findLinkBy,
  lookUpLink,
  readLink,
  updateLink,
  upsertLink,
} from '../../src/links/linkService.ts';
import type { Link } from '../../src/models/Link.ts';
import { AuditActorType } from '../audit/AuditResolver.ts';
import { Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { LinkPageType, LinkType, UpsertedLinkType } from './LinkType.ts';
import { LinkFilterArgs, LinkLookupArgs, LinkPageArgs, UpsertLinkArgs } from './linkArgs.ts';
import { CreateLinkInput, UpdateLinkInput, UpsertLinkInput } from './linkInputs.ts';

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
  link(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return readLink(principal, id);
  }

  @Query(() => LinkType, { description: 'One link, by domain and slug, external id, or short URL.' })
  lookupLink(
    @Args(() => LinkLookupArgs) { projectId, ...by }: LinkLookupArgs,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return lookUpLink(principal, projectId, by);
  }

  @Query(() => LinkType, {
    nullable: true,
    description: 'One link, by domain and slug, external id, or short URL; null when there is none.',
  })
  findLink(
    @Args(() => LinkLookupArgs) { projectId, ...by }: LinkLookupArgs,
    @Ctx() { principal }: Context,
  ): Promise<Link | null> {
    return findLinkBy(principal, projectId, by);
  }

  @DryRun()
  @Mutation(() => LinkType, { description: 'Creates a short link.' })
  createLink(
    @Arg('input', () => CreateLinkInput, { description: 'The new link.' }) input: CreateLinkInput,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return createLink(principal, input);
  }

  @DryRun()
  @Mutation(() => LinkType, { description: 'Replaces the fields that are sent; null clears a field.' })
  updateLink(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Arg('input', () => UpdateLinkInput, { description: 'The changes.' }) input: UpdateLinkInput,
    @Arg('ifUpdatedAt', () => Time, {
      nullable: true,
      description: 'The `updatedAt` of the link that was edited; refused with conflict if it was changed since.',
    })
    ifUpdatedAt: Date | undefined,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return updateLink(principal, id, input, ifUpdatedAt);
  }

  @DryRun()
  @Mutation(() => UpsertedLinkType, { description: 'Creates the link with this external id, or changes it.' })
  upsertLink(
    @Args(() => UpsertLinkArgs) { projectId, externalId }: UpsertLinkArgs,
    @Arg('input', () => UpsertLinkInput, { description: 'The fields of the link.' }) input: UpsertLinkInput,
    @Ctx() { principal }: Context,
  ): Promise<{ created: boolean; link: Link }> {
    return upsertLink(principal, { projectId, externalId, input });
  }

  @Mutation(() => LinkType, { description: 'Stops the link; safe to repeat.' })
  archiveLink(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return archiveLink(principal, id, true);
  }

  @Mutation(() => LinkType, { description: 'Lets an archived link work again; safe to repeat.' })
  unarchiveLink(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return archiveLink(principal, id, false);
  }

  @Mutation(() => LinkType, { description: 'Asks for a review of the flag of a link; safe to repeat.' })
  reviewLink(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Link> {
    return reviewLink(principal, id);
  }

  @Mutation(() => Boolean, { description: 'Deletes the link and frees its slug.' })
  async deleteLink(
    @Arg('id', () => ID, { description: 'The id of the link, or `ext_` and your own id.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await deleteLink(principal, id);
    return true;
  }

  @FieldResolver()
  routingJson(@Root() { routing }: Link): Record<string, unknown> | null {
    return routing;
  }

  @FieldResolver(() => [String], { description: 'Names, in alphabetical order.' })
  async tags(@Root() link: Link, @Ctx() { loaders }: Context): Promise<string[]> {
    return link.tagNames ?? loaders.linkTags.load(link.id);
  }

  @FieldResolver(() => AuditActorType, {
    nullable: true,
    description: 'Who created the link, alone or in a batch; null when the audit log does not go back so far.',
  })
  createdBy(@Root() link: Link, @Ctx() { loaders }: Context): Promise<AuditActor | null> {
    return loaders.linkCreators.load(link);
  }
}
