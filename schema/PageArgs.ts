import { ArgsType, Int } from 'type-graphql';
import { RuleField } from './rules.ts';

/** What every list takes. */
@ArgsType()
export class PageArgs {
  @RuleField(() => Int, {
    nullable: true,
    description: 'Rows of a page; 50 when it is not given.',
    rule: { minimum: 1, maximum: 100 },
  })
  declare limit?: number;

  @RuleField(() => String, {
    nullable: true,
    description: 'What the previous page gave for the next one; it only works with the same filters and sort.',
  })
  declare cursor?: string;
}
