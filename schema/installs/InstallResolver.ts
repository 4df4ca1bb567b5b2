import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  deleteInstall,
  explainInstall,
  findInstall,
  listInstalls,
  readSimulatedMatch,
  simulateMatch,
} from '../../src/attribution/installService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Link } from '../../src/models/Link.ts';
import { PageArgs, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { LinkType } from '../links/LinkType.ts';
import { RuleField } from '../rules.ts';
import { InstallPageType, InstallType, MatchReportType, SimulateMatchInput } from './installTypes.ts';

@ArgsType()
class InstallsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Installs that this link led to, also when it was deleted; or ext_<external id> of one that there is.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare linkId?: string;
  @RuleField(() => Time, { nullable: true, description: 'Created at this moment or later.' })
  declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this moment.' }) declare createdBefore?: Date;
}

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
    @Args(() => InstallsArgs) { projectId, ...filter }: InstallsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<InstallType>> {
    return listInstalls(principal, projectId, filter);
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
}
