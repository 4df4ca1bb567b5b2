import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { countInstalls, type InstallCount, listInstalls } from '../../src/attribution/installListService.ts';
import {
  deleteInstall,
  explainInstall,
  findInstall,
  readSimulatedMatch,
  simulateMatch,
} from '../../src/attribution/installService.ts';
import type { ShownEvent, ShownOpen } from '../../src/attribution/timelineService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Link } from '../../src/models/Link.ts';
import { PageArgs } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { LinkType } from '../links/LinkType.ts';
import { RuleField } from '../rules.ts';
import { InstallCountArgs, InstallFilterArgs, NewestArgs } from './installArgs.ts';
import {
  AppEventType,
  InstallCountType,
  InstallOpenType,
  InstallPageType,
  InstallType,
  MatchCandidateType,
  MatchReportType,
  SimulateMatchInput,
} from './installTypes.ts';

@ArgsType()
class InstallArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => ID, { description: 'Our id, or the UUID that its SDK made.' }) declare id: string;
}

@ArgsType()
class SimulateArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@Resolver(() => InstallType)
export class InstallResolver {
  @Query(() => InstallPageType, { description: 'Installs of the apps of a project, newest first.' })
  installs(
    @Args(() => InstallFilterArgs) { projectId, ...filter }: InstallFilterArgs,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<InstallType>> {
    return listInstalls(principal, projectId, { ...filter, ...page });
  }

  @Query(() => [InstallCountType], {
    description:
      'How many installs match the filters, by method or platform, most first; without groupBy as a single figure.',
  })
  installCount(
    @Args(() => InstallCountArgs) { projectId, ...filter }: InstallCountArgs,
    @Ctx() { principal }: Context,
  ): Promise<InstallCount[]> {
    return countInstalls(principal, projectId, filter);
  }

  @Query(() => InstallType, { description: 'One install of an app.' })
  install(
    @Args(() => InstallArgs) { projectId, id }: InstallArgs,
    @Ctx() { principal }: Context,
  ): Promise<InstallType> {
    return findInstall(principal, projectId, id);
  }

  @Query(() => MatchReportType, { description: 'Why an install matched, or did not.' })
  installMatch(
    @Args(() => InstallArgs) { projectId, id }: InstallArgs,
    @Ctx() { principal }: Context,
  ): Promise<MatchReportType> {
    return explainInstall(principal, projectId, id);
  }

  @Mutation(() => Boolean, { description: 'Deletes all that is known of an install.' })
  deleteInstall(
    @Args(() => InstallArgs) { projectId, id }: InstallArgs,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    return deleteInstall(principal, projectId, id);
  }

  @Mutation(() => MatchReportType, { description: 'What would be found for a made-up opening; writes nothing.' })
  simulateMatch(
    @Args(() => SimulateArgs) { projectId }: SimulateArgs,
    @Arg('input', () => SimulateMatchInput, { description: 'The made-up clicks and opening.' })
    input: SimulateMatchInput,
    @Ctx() { principal }: Context,
  ): Promise<MatchReportType> {
    return simulateMatch(principal, projectId, input);
  }

  @Query(() => MatchReportType, {
    name: 'simulateMatch',
    description: 'What would be found for a made-up opening, for everyone who may read installs.',
  })
  readSimulatedMatch(
    @Args(() => SimulateArgs) { projectId }: SimulateArgs,
    @Arg('input', () => SimulateMatchInput, { description: 'The made-up clicks and opening.' })
    input: SimulateMatchInput,
    @Ctx() { principal }: Context,
  ): Promise<MatchReportType> {
    return readSimulatedMatch(principal, projectId, input);
  }

  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that led to the install; null without a match, and once the link is deleted.',
  })
  link(@Root() { linkId }: InstallType, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }

  @FieldResolver(() => [InstallOpenType], {
    description: 'Its newest openings, newest first, for as long as they are kept.',
  })
  opens(
    @Root() { projectId, installId }: InstallType,
    @Args(() => NewestArgs) { limit }: NewestArgs,
    @Ctx() { loaders }: Context,
  ): Promise<ShownOpen[]> {
    return loaders.installOpens.load({ projectId, installId, limit: limit ?? null });
  }

  @FieldResolver(() => [AppEventType], {
    description: 'The newest events that the app reported, newest first, for as long as they are kept.',
  })
  events(
    @Root() { projectId, installId }: InstallType,
    @Args(() => NewestArgs) { limit }: NewestArgs,
    @Ctx() { loaders }: Context,
  ): Promise<ShownEvent[]> {
    return loaders.installEvents.load({ projectId, installId, limit: limit ?? null });
  }
}

@Resolver(() => InstallOpenType)
export class InstallOpenResolver {
  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that led to the opening; null without a match, and once the link is deleted.',
  })
  link(@Root() { linkId }: ShownOpen, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }
}

@Resolver(() => MatchCandidateType)
export class MatchCandidateResolver {
  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that was clicked; null once it is deleted, and for what was made up.',
  })
  link(@Root() { linkId }: MatchCandidateType, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }
}
