import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  Float,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { authorizeProject } from '../../src/access/authorize.ts';
import type { App, Project } from '../../src/models/Project.ts';
import type { Page } from '../../src/services/paging.ts';
import { createProject, listProjects, updateProject } from '../../src/services/projects/projects.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Json, Time } from '../scalars.ts';
import { HEALTH_STATUSES } from '../words.ts';
import { APPS_SCHEMA } from './appsSchema.ts';

@ObjectType('Project')
class ProjectType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare teamId: string;
  @Field(() => String) declare name: string;
  @Field(() => String, { nullable: true, description: 'Host of new links; null: the default of this service.' })
  declare defaultDomain: string | null;
  @Field(() => Int) declare matchWindowSeconds: number;
  @Field(() => Boolean) declare probabilisticMatching: boolean;
  @Field(() => Float, {
    description: 'Events whose value is beyond it, above or below zero, are outliers and in no sum of analytics.',
  })
  declare maxEventValue: number;
  @RuleField(() => String, { description: 'passing, failing or unknown.', rule: { enum: HEALTH_STATUSES } })
  declare health: string;
  @RuleField(() => Json, { description: 'iOS and Android apps.', rule: { schema: APPS_SCHEMA } }) declare apps: App[];
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('ProjectPage')
class ProjectPageType {
  @Field(() => [ProjectType]) declare data: ProjectType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@InputType()
class ProjectFields {
  @RuleField(() => String, { nullable: true, rule: { format: 'host', maxLength: 260 } }) declare defaultDomain?:
    | string
    | null;
  @RuleField(() => Int, { nullable: true, rule: { minimum: 60, maximum: 86_400, notNull: true } })
  declare matchWindowSeconds?: number;
  @RuleField(() => Boolean, { nullable: true, rule: { notNull: true } }) declare probabilisticMatching?: boolean;
  @RuleField(() => Float, {
    nullable: true,
    description:
      'Events whose value is beyond it, above or below zero, are outliers and in no sum: anybody who has your app can send any value.',
    rule: { minimum: 0, maximum: 1e12, notNull: true },
  })
  declare maxEventValue?: number;
  @RuleField(() => Json, { nullable: true, rule: { schema: APPS_SCHEMA } }) declare apps?: App[] | null;
}

@InputType()
class CreateProjectInput extends ProjectFields {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 100 } }) declare name: string;
}

@InputType()
class UpdateProjectInput extends ProjectFields {
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 100, notNull: true } })
  declare name?: string;
}

@ArgsType()
class ProjectsArgs extends PageArgs {
  @RuleField(() => ID, { nullable: true }) declare teamId?: string;
}

@Resolver()
export class ProjectResolver {
  @Query(() => ProjectPageType, { description: 'The projects that you see.' })
  projects(@Args(() => ProjectsArgs) args: ProjectsArgs, @Ctx() { principal }: Context): Promise<Page<Project>> {
    return listProjects(principal, args);
  }

  @Query(() => ProjectType)
  project(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Project> {
    return authorizeProject(principal, 'projects:read', id);
  }

  @Mutation(() => ProjectType)
  createProject(
    @Arg('input', () => CreateProjectInput) input: CreateProjectInput,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return createProject(principal, input);
  }

  @Mutation(() => ProjectType, { description: 'Replaces the fields that are sent.' })
  updateProject(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateProjectInput) input: UpdateProjectInput,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return updateProject(principal, id, input);
  }
}
