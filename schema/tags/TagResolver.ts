import { Arg, Args, ArgsType, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Tag } from '../../src/models/Tag.ts';
import type { Page } from '../../src/services/paging.ts';
import { createTag } from '../../src/services/tags/createTag.ts';
import { deleteTag } from '../../src/services/tags/deleteTag.ts';
import { listTags } from '../../src/services/tags/listTags.ts';
import { updateTag } from '../../src/services/tags/updateTag.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { type Rule, RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { TAG_NAME_RULE } from './tagNameRule.ts';

const COLOR_NAMES = 'red orange yellow green teal blue indigo purple pink brown gray black'.split(' ');
const COLOR_RULE: Rule = {
  'x-name': 'TagColor',
  pattern: `^(#[0-9a-fA-F]{6}|${COLOR_NAMES.join('|')})$`,
  'x-message': `Must be #rrggbb or one of: ${COLOR_NAMES.join(', ')}.`,
};
const ABOUT_COLOR = `\`#rrggbb\`, or one of ${COLOR_NAMES.join(', ')}.`;

@ObjectType('Tag')
class TagType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'Unique in the project without regard to case.' }) declare name: string;
  @Field(() => String, { nullable: true, description: ABOUT_COLOR }) declare color: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('TagPage')
class TagPageType {
  @Field(() => [TagType]) declare data: TagType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@InputType()
class TagFields {
  @RuleField(() => String, { nullable: true, description: ABOUT_COLOR, rule: COLOR_RULE })
  declare color?: string | null;
}

@InputType()
class CreateTagInput extends TagFields {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { rule: TAG_NAME_RULE }) declare name: string;
}

@InputType()
class UpdateTagInput extends TagFields {
  @RuleField(() => String, { nullable: true, rule: { ...TAG_NAME_RULE, notNull: true } }) declare name?: string;
}

@ArgsType()
class TagsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@Resolver()
export class TagResolver {
  @Query(() => TagPageType, { description: 'Tags of a project, newest first.' })
  tags(@Args(() => TagsArgs) { projectId, ...request }: TagsArgs, @Ctx() { principal }: Context): Promise<Page<Tag>> {
    return listTags(principal, projectId, request);
  }

  @Mutation(() => TagType)
  createTag(@Arg('input', () => CreateTagInput) input: CreateTagInput, @Ctx() { principal }: Context): Promise<Tag> {
    return createTag(principal, input);
  }

  @Mutation(() => TagType, { description: 'Replaces the fields that are sent; links show the new name at once.' })
  updateTag(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateTagInput) input: UpdateTagInput,
    @Ctx() { principal }: Context,
  ): Promise<Tag> {
    return updateTag(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Deletes the tag and takes it from every link.' })
  async deleteTag(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await deleteTag(principal, id);
    return true;
  }
}
