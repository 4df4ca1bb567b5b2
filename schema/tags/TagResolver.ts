import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import type { Tag } from '../../src/models/Tag.ts';
import { createTag, deleteTag, listTags, updateTag } from '../../src/tags/tagService.ts';
import { PageArgs, pageOf, SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { MANAGED_BY_FILTER, MANAGED_BY_RULE, MANAGED_BY_TEXT } from '../ownership.ts';
import { type Rule, RuleField } from '../rules.ts';

/** What a tag may be called. `|` separates tags in CSV files. */
export const TAG_NAME_RULE: Rule = {
  minLength: 1,
  maxLength: 100,
  pattern: '^[^|\\s]([^|]*[^|\\s])?$',
  'x-message': 'Must not contain | or begin or end with a space.',
};

const COLOR_NAMES = 'red orange yellow green teal blue indigo purple pink brown gray black'.split(' ');
const COLOR_RULE: Rule = {
  'x-name': 'TagColor',
  pattern: `^(#[0-9a-fA-F]{6}|${COLOR_NAMES.join('|')})$`,
  'x-message': `Must be #rrggbb or one of: ${COLOR_NAMES.join(', ')}.`,
};
const ABOUT_COLOR = `\`#rrggbb\`, or one of ${COLOR_NAMES.join(', ')}.`;

@ObjectType('Tag', { description: 'A tag of links.' })
export class TagType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'Unique in the project without regard to case.' }) declare name: string;
  @Field(() => String, { nullable: true, description: ABOUT_COLOR }) declare color: string | null;
  @Field(() => String, { nullable: true, description: MANAGED_BY_TEXT }) declare managedBy: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

const TagPageType = pageOf('Tag', TagType);

@InputType({ description: 'Fields of a tag.' })
class TagFields {
  @RuleField(() => String, { nullable: true, description: ABOUT_COLOR, rule: COLOR_RULE })
  declare color?: string | null;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_TEXT, rule: MANAGED_BY_RULE })
  declare managedBy?: string | null;
}

@InputType({ description: 'A new tag.' })
class CreateTagInput extends TagFields {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { description: 'Unique in the project without regard to case.', rule: TAG_NAME_RULE })
  declare name: string;
}

@InputType({ description: 'Changes to a tag.' })
class UpdateTagInput extends TagFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'Unique in the project without regard to case.',
    rule: { ...TAG_NAME_RULE, notNull: true },
  })
  declare name?: string;
}

@ArgsType()
class TagsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_FILTER, rule: MANAGED_BY_RULE })
  declare managedBy?: string;
}

@Resolver(() => TagType)
export class TagResolver {
  @Query(() => TagPageType, { description: 'Tags of a project, newest first.' })
  tags(@Args(() => TagsArgs) { projectId, ...request }: TagsArgs, @Ctx() { principal }: Context): Promise<Page<Tag>> {
    return listTags(principal, projectId, request);
  }

  @Mutation(() => TagType, { description: 'Creates a tag.' })
  createTag(
    @Arg('input', () => CreateTagInput, { description: 'The new tag.' }) input: CreateTagInput,
    @Ctx() { principal }: Context,
  ): Promise<Tag> {
    return createTag(principal, input);
  }

  @Mutation(() => TagType, { description: 'Replaces the fields that are sent; links show the new name at once.' })
  updateTag(
    @Arg('id', () => ID, { description: 'The id of the tag.' }) id: string,
    @Arg('input', () => UpdateTagInput, { description: 'The changes.' }) input: UpdateTagInput,
    @Ctx() { principal }: Context,
  ): Promise<Tag> {
    return updateTag(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Deletes the tag and takes it from every link.' })
  async deleteTag(
    @Arg('id', () => ID, { description: 'The id of the tag.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await deleteTag(principal, id);
    return true;
  }

  @FieldResolver(() => SafeInt, { description: 'How many links have the tag, archived ones included.' })
  linkCount(@Root() { id }: Tag, @Ctx() { loaders }: Context): Promise<number> {
    return loaders.linksWithTag.load(id);
  }
}
