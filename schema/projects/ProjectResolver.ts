import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { authorizeProject } from '../../src/access/authorize.ts';
import type { Page } from '../../src/db/paging.ts';
import type { App, Project } from '../../src/models/Project.ts';
import { createProject, listProjects, updateProject } from '../../src/projects/projectService.ts';
import { type AssociationFiles, readAssociationFiles } from '../../src/redirect/associationService.ts';
import { Json, PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { HEALTH_STATUSES } from '../enums.ts';
import { RuleField } from '../rules.ts';
import { APPS_SCHEMA } from './appRules.ts';
import { AppUnion } from './appTypes.ts';

@ObjectType('Project', { description: 'A project: links, domains, keys and apps that belong together.' })
export class ProjectType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare teamId: string;
  @Field(() => String, { description: 'The name of the project.' }) declare name: string;
  @Field(() => String, { nullable: true, description: 'The host of new links; null: the default of this service.' })
  declare defaultDomain: string | null;
  @Field(() => Int, { description: 'How long after a click an install can match it, in seconds.' })
  declare matchWindowSeconds: number;
  @Field(() => Boolean, { description: 'Whether installs without a token are compared with recent clicks.' })
  declare probabilisticMatching: boolean;
  @Field(() => Float, {
    description:
      'Events with a larger value, positive or negative, are outliers and left out of the sums in analytics.',
  })
  declare maxEventValue: number;
  @RuleField(() => String, { description: 'passing, failing or unknown.', rule: { enum: HEALTH_STATUSES } })
  declare health: string;
  @RuleField(() => Json, { description: 'iOS and Android apps.', rule: { schema: APPS_SCHEMA } })
  declare appsJson: App[];
  @Field(() => [AppUnion], { description: 'iOS and Android apps.' }) declare apps: App[];
  @Field(() => Time, {
    nullable: true,
    description: 'When it is deleted for good, until which it can be restored; null while nobody has deleted it.',
  })
  declare deletionAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

export const ProjectPageType = pageOf('Project', ProjectType);

@InputType({ description: 'Settings of a project.' })
class ProjectFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'The host of new links; null: the default of this service.',
    rule: { format: 'host', maxLength: 260 },
  })
  declare defaultDomain?: string | null;
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long after a click an install can match it, in seconds.',
    rule: { minimum: 60, maximum: 86_400, notNull: true },
  })
  declare matchWindowSeconds?: number;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Whether installs without a token are compared with recent clicks.',
    rule: { notNull: true },
  })
  declare probabilisticMatching?: boolean;
  @RuleField(() => Float, {
    nullable: true,
    description:
      'Events with a larger value, positive or negative, are outliers and left out of sums, because anybody who has your app can send any value.',
    rule: { minimum: 0, maximum: 1e12, notNull: true },
  })
  declare maxEventValue?: number;
  @RuleField(() => Json, {
    nullable: true,
    description: 'The iOS and Android apps; replaces all of them.',
    rule: { schema: APPS_SCHEMA },
  })
  declare apps?: App[] | null;
}

@InputType({ description: 'A new project.' })
class CreateProjectInput extends ProjectFields {
  @RuleField(() => ID, { description: 'The team that it will belong to.' }) declare teamId: string;
  @RuleField(() => String, { description: 'The name of the project.', rule: { minLength: 1, maxLength: 100 } })
  declare name: string;
}

@InputType({ description: 'Changes to a project.' })
class UpdateProjectInput extends ProjectFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'The name of the project.',
    rule: { minLength: 1, maxLength: 100, notNull: true },
  })
  declare name?: string;
}

@ObjectType('AssociationFiles', {
  description: 'The files by which iOS and Android find the apps that open the links of a domain.',
})
class AssociationFilesType implements AssociationFiles {
  @Field(() => String, { description: 'The link domain.' }) declare host: string;
  @Field(() => String, { description: 'Where iOS looks.' }) declare appleUrl: string;
  @Field(() => String, { nullable: true, description: 'The file for iOS as it is served; null: none is.' })
  declare apple: string | null;
  @Field(() => String, { description: 'Where Android looks.' }) declare androidUrl: string;
  @Field(() => String, { nullable: true, description: 'The file for Android as it is served; null: none is.' })
  declare android: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why links on the domain open no app of the project, and what to do; null: they do.',
  })
  declare problem: string | null;
}

@ArgsType()
class AssociationFilesArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'A link domain of the project; its default domain when it is not given, else that of this service.',
    rule: { format: 'host', maxLength: 260 },
  })
  declare host?: string;
}

@ArgsType()
class ProjectsArgs extends PageArgs {
  @RuleField(() => ID, { nullable: true, description: 'Only projects of this team.' }) declare teamId?: string;
}

@Resolver(() => ProjectType)
export class ProjectResolver {
  @Query(() => ProjectPageType, { description: 'The projects that you may see.' })
  projects(@Args(() => ProjectsArgs) args: ProjectsArgs, @Ctx() { principal }: Context): Promise<Page<Project>> {
    return listProjects(principal, args);
  }

  @Query(() => ProjectType, { description: 'One project.' })
  project(
    @Arg('id', () => ID, { description: 'The id of the project.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return authorizeProject(principal, 'projects:read', id);
  }

  @DryRun()
  @Mutation(() => ProjectType, { description: 'Creates a project in a team.' })
  createProject(
    @Arg('input', () => CreateProjectInput, { description: 'The new project.' }) input: CreateProjectInput,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return createProject(principal, input);
  }

  @DryRun()
  @Mutation(() => ProjectType, { description: 'Changes the fields that are sent.' })
  updateProject(
    @Arg('id', () => ID, { description: 'The id of the project.' }) id: string,
    @Arg('input', () => UpdateProjectInput, { description: 'The changes.' }) input: UpdateProjectInput,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return updateProject(principal, id, input);
  }

  @FieldResolver()
  appsJson(@Root() { apps }: Project): App[] {
    return apps;
  }

  @FieldResolver(() => AssociationFilesType, {
    description: 'What a link domain of the project tells iOS and Android about its apps.',
  })
  associationFiles(
    @Root() project: Project,
    @Args(() => AssociationFilesArgs) { host }: AssociationFilesArgs,
    @Ctx() { principal }: Context,
  ): Promise<AssociationFiles> {
    return readAssociationFiles(principal, project, host ?? null);
  }
}
