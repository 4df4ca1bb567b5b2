import { Arg, Args, ArgsType, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { deleteInstall } from '../../src/services/installs/deleteInstall.ts';
import { explainInstall } from '../../src/services/installs/explainInstall.ts';
import { findInstall } from '../../src/services/installs/findInstall.ts';
import { listInstalls } from '../../src/services/installs/listInstalls.ts';
import { simulateMatch } from '../../src/services/installs/simulateMatch.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { InstallPageType, InstallType, MatchReportType } from './installTypes.ts';
import { SimulateMatchInput } from './simulateInputs.ts';

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

@Resolver()
export class InstallResolver {
  @Query(() => InstallPageType, { description: 'Installs of the apps of a project, newest first.' })
  installs(
    @Args(() => InstallsArgs) { projectId, ...filter }: InstallsArgs,
    @Ctx() { principal }: Context,
  ): Promise<InstallPageType> {
    return listInstalls(principal, projectId, filter);
  }

  @Query(() => InstallType)
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
    @Arg('input', () => SimulateMatchInput) input: SimulateMatchInput,
    @Ctx() { principal }: Context,
  ): Promise<MatchReportType> {
    return simulateMatch(principal, projectId, input);
  }
}
